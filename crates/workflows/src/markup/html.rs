//! The page every workflow writes: one file that loads nothing and runs nothing, with one style sheet and one content policy.

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A whole page. `body` is HTML of our own making; everything of a stranger in it is escaped already.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    styled(title, "", body)
}

/// A whole page with a style of its own behind the one all pages share.
#[must_use]
pub fn styled(title: &str, style: &str, body: &str) -> String {
    whole(title, "en", POLICY, style, body)
}

/// A whole page whose frames may run the one script with this hash, and no other.
#[must_use]
pub fn framing(title: &str, language: &str, script_hash: &str, style: &str, body: &str) -> String {
    whole(title, language, &format!("{POLICY}; script-src '{script_hash}'"), style, body)
}

fn whole(title: &str, language: &str, policy: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        super::hypertext(title)
    )
}

/// Text in which HTML finds nothing of its own, inside an element or a quoted attribute.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}
