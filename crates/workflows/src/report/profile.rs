//! A report as a program sees it.

use std::path::Path;

use baton_agents::skill::Role;
use baton_engine::{Limits, Settings};

use super::{Order, Report};
use crate::profile::{Export, Profile};
use crate::retrieval::Beyond;

/// Per cent of the budget that only the writing of the report may use.
const KEPT_FOR_REPORT: u8 = 40;

impl Profile for Report {
    const EXPORTS: &'static [Export] = &[
        Export { file: "output/report.html", endings: &["html", "htm"] },
        Export { file: "state/aggregation.json", endings: &["json"] },
        Export { file: "output/data_pack.xlsx", endings: &["xlsx"] },
        Export { file: "output/report.pdf", endings: &["pdf"] },
    ];

    fn settings(configured: Settings) -> Settings {
        Settings { limits: Limits { kept_for_last: KEPT_FOR_REPORT, ..configured.limits }, ..configured }
    }

    fn roles(order: &Order) -> Vec<&Role> {
        order.roles.all()
    }

    fn beyond(order: &Order) -> Option<&Beyond> {
        order.beyond.as_ref()
    }

    fn output(order: &Order) -> Option<&Path> {
        order.output.as_deref()
    }
}
