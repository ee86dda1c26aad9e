//! What flags and the environment change for one run.

use super::file::ConfigError;

/// Settings that stand over every file. Absent ones change nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The chain of every role: `--model a,b,rules` or `BATON_MODELS`.
    pub chain: Option<Vec<String>>,
    /// The money for a run, in dollars: `--budget` or `BATON_BUDGET_USD`.
    pub usd: Option<f64>,
    /// Consent to send documents: `--send` or `BATON_SEND_DOCUMENTS`.
    pub send_documents: Option<bool>,
}

impl Overrides {
    /// Reads the environment through `var`.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let wrong = |name: &str, what: &str| ConfigError {
            file: format!("the variable {name}"),
            line: 0,
            column: 0,
            what: what.to_owned(),
        };
        let chain = var("BATON_MODELS").map(|list| Self::chain_of(&list));
        let usd = match var("BATON_BUDGET_USD") {
            None => None,
            Some(text) => match text.trim().parse() {
                Ok(usd) => Some(usd),
                Err(_) => return Err(wrong("BATON_BUDGET_USD", "write a number of dollars, such as 2.50.")),
            },
        };
        let send_documents = match var("BATON_SEND_DOCUMENTS").as_deref().map(str::trim) {
            None | Some("") => None,
            Some("1" | "true" | "yes") => Some(true),
            Some("0" | "false" | "no") => Some(false),
            Some(_) => return Err(wrong("BATON_SEND_DOCUMENTS", "write true or false.")),
        };
        Ok(Self { chain, usd, send_documents })
    }

    /// A list of names as people type it.
    #[must_use]
    pub fn chain_of(list: &str) -> Vec<String> {
        list.split(',').map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned).collect()
    }

    /// These over `lower` ones.
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        Self {
            chain: self.chain.or(lower.chain),
            usd: self.usd.or(lower.usd),
            send_documents: self.send_documents.or(lower.send_documents),
        }
    }
}
