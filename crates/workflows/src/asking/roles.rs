//! The roles of a workflow, each named once.

/// Makes `Roles`: a field for each role, the rules twins alone, all of them, and whether any model may be asked. A last
/// one, `; name?`, is nobody until a model is named for it.
macro_rules! roles {
    (
        $($(#[$about:meta])* $role:ident),+ $(,)?
        $(; $(#[$about_extra:meta])* $extra:ident?)?
    ) => {
        /// Who is asked for what.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct Roles {
            $($(#[$about])* pub $role: baton_agents::skill::Role,)+
            $(
                $(#[$about_extra])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $extra: Option<baton_agents::skill::Role>,
            )?
        }

        impl Roles {
            /// Nobody but the rules twins.
            #[must_use]
            pub fn rules_only() -> Self {
                Self {
                    $($role: baton_agents::skill::Role::rules_only(stringify!($role)),)+
                    $($extra: None,)?
                }
            }

            /// All of them.
            #[must_use]
            pub fn all(&self) -> Vec<&baton_agents::skill::Role> {
                let Self { $($role,)+ $($extra,)? } = self;
                [$($role),+].into_iter()$(.chain($extra))?.collect()
            }

            /// Whether any model may be asked.
            #[must_use]
            pub fn ask_models(&self) -> bool {
                self.all().iter().any(|role| !role.chain.is_empty())
            }
        }
    };
}

pub(crate) use roles;
