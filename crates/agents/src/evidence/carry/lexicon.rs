//! The closed classes of English as the gate reads it: words without content of their own, the words that change what a
//! sentence claims, and the verbs a clause is found by.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::rules::words::stem;

/// A word or phrase that changes what is claimed rather than what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    /// Denial.
    Not,
    /// "may", "can", "possibly".
    Can,
    /// "must", "have to".
    Must,
    /// "need not", "not required to": what may be left undone.
    NeedNot,
    /// "should", "recommended".
    Should,
    /// "will".
    Will,
    /// "planned", "expected", "would".
    Planned,
    /// "claims", "reportedly", "seems".
    Believed,
    /// "all", "every", "always".
    All,
    /// "most", "usually".
    Most,
    /// "many", "often".
    Many,
    /// "some", "sometimes".
    Some,
    /// "few", "rarely".
    Few,
    /// "only".
    Only,
    /// "because", "due to".
    Because,
    /// "if", "when", "provided".
    If,
    /// "unless", "except".
    Unless,
    /// "now", "still", "already".
    Now,
    /// "formerly", "used to".
    Formerly,
    /// "almost".
    Almost,
    /// "even if": what does not matter.
    EvenIf,
}

impl Operator {
    /// How it is called towards a person.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Not => "a denial",
            Self::Can => "\"may\"",
            Self::Must => "\"must\"",
            Self::NeedNot => "\"need not\"",
            Self::Should => "\"should\"",
            Self::Will => "\"will\"",
            Self::Planned => "\"planned\" or \"expected\"",
            Self::Believed => "who says or believes it",
            Self::All => "\"all\"",
            Self::Most => "\"most\"",
            Self::Many => "\"many\"",
            Self::Some => "\"some\"",
            Self::Few => "\"few\"",
            Self::Only => "\"only\"",
            Self::Because => "a cause",
            Self::If => "a condition",
            Self::Unless => "an exception",
            Self::Now => "\"now\" or \"still\"",
            Self::Formerly => "\"formerly\"",
            Self::Almost => "\"almost\"",
            Self::EvenIf => "\"even if\"",
        }
    }
}

/// Operators, longest phrase first where one begins like another; "|" between phrases.
const OPERATORS: &[(Operator, &str)] = &[
    (
        Operator::Not,
        "not|no|never|none|nobody|nothing|neither|nor|without|cannot|no longer|no one|nowhere|hardly|scarcely|barely|lack|lacks|lacked|noone|anything but|far from|by no means|on no account|at no time|not once|instead of|rather than|fail to|fails to|failed to|failing to|refuse to|refuses to|refused to|decline to|declines to|declined to|unable to|incapable of",
    ),
    (
        Operator::Can,
        "may|can|might|could|possibly|perhaps|maybe|potentially|conceivably|able to|allowed to|permitted to|free to|possible to|capable of|possible that|at liberty to|entitled to|has the right to|have the right to",
    ),
    (
        Operator::Must,
        "must|shall|have to|has to|had to|required to|obliged to|need to|needs to|needed to|mandatory|obligatory|compulsory|bound to|obligated to|it is necessary to|is necessary to",
    ),
    (Operator::NeedNot, "needn't|unnecessary to"),
    (
        Operator::Should,
        "should|ought to|recommended|recommend|recommends|recommendation|advised to|advisable|encouraged to|preferably|had better|advises|suggested to|is wise to|are encouraged",
    ),
    (Operator::Will, "will|going to|is to be|are to be|is due to be"),
    (
        Operator::Planned,
        "planned|scheduled|intended|expected|proposed|projected|forecast|predicted|anticipated|expects|expect|intends to|intend to|wish to|wishes to|intends|intend|aims|aim to|hopes|hope to|would|plans to|plan to|planning to|is set to|are set to|due to start|due to open|is due to|are due to|goal is|target is|goal of|target of|is meant to|are meant to|is supposed to|are supposed to|estimated|estimate|estimates|proposal is|wants to|want to|intention|prospective",
    ),
    (
        Operator::Believed,
        "says|said|say|claims|claimed|claim that|believes|believed|believe|thinks|think|argues|argued|alleges|alleged|allegedly|reportedly|apparently|supposedly|seems|seem|seemed|appears to|appear to|appeared to|suggests|suggest|promised|promise|promises|feel that|feels that|consider|considers|considered|regarded as|in their view|in their opinion|in our view|according to|is said to|are said to|doubt|doubts|presumably|probably|likely|unlikely|rumoured|assume|assumes|assumed|imagine|suppose|accused|accuses",
    ),
    (
        Operator::All,
        "all|every|each|everyone|everybody|everything|always|entire|entirely|whole|wholly|completely|fully|without exception|at all times|throughout|everywhere|invariably|totally|any time|unconditionally|all of|the whole of",
    ),
    (
        Operator::Most,
        "most|majority|mostly|mainly|largely|generally|usually|typically|normally|by default|chiefly|predominantly|as a rule|primarily|in general|ordinarily|for the most part|commonly|most of|in most cases|tend to|tends to",
    ),
    (
        Operator::Many,
        "many|numerous|often|frequently|a lot of|lots of|a great many|many of|widely|repeatedly",
    ),
    (
        Operator::Some,
        "some|several|certain|sometimes|occasionally|partly|partially|a few|a number of|various|in some cases|some of|in part|at times|multiple",
    ),
    (Operator::Few, "few|rarely|seldom|hardly ever|little|infrequently|a handful of"),
    (
        Operator::Only,
        "only|solely|exclusively|alone|sole|merely|purely|nothing but|no other than|nobody but|nobody except|uniquely|unique|not just",
    ),
    (
        Operator::Because,
        "because|because of|due to|due mainly to|due largely to|owing to|therefore|thus|hence|consequently|as a result|as a result of|thanks to|on account of|for this reason|which is why|that is why|as a consequence|in consequence|accordingly|thereby|so|by reason of|the reason is|the reason was",
    ),
    (
        Operator::If,
        "if|when|whenever|provided|provided that|as long as|so long as|in case|in case of|in the case of|on condition that|subject to|depending on|assuming|where|once|as soon as|in the event of|in the event that|on request|upon request|on demand|contingent on|only when|only if",
    ),
    (
        Operator::Unless,
        "unless|except|except for|all but|everything but|everyone but|anything but the|except when|excepting|other than|apart from|save for|excluding|with the exception of|aside from",
    ),
    (
        Operator::Now,
        "now|currently|still|already|today|recently|nowadays|at present|at the moment|these days|presently|soon|newly|so far|to date|yet|this year|last year|next year|yesterday|tomorrow|lately",
    ),
    (Operator::EvenIf, "even if|even when|even where"),
    (Operator::Almost, "almost|nearly|virtually|practically|not quite"),
    (
        Operator::Formerly,
        "formerly|previously|initially|used to|in the past|back then|at one time|originally|historically",
    ),
];

/// Words without content of their own. They may be added and left out.
const FUNCTION: &str = "a an the this that these those it its itself they them their theirs he him his she her hers we us our ours you \
your yours i me my one ones who whom whose which what there here and or but so as at by for from in into of off on onto out over per \
than then to too under until up upon via with within about above after against along among amongst around before behind below beneath \
beside besides between beyond down during inside like near outside regarding round since through till toward towards \
underneath be am is are was were been being do does did done doing have has had having also both either else however how \
if though although while whereas whether moreover furthermore nevertheless nonetheless meanwhile namely respectively such same \
another other others own just further thereby therein thereof whereby wherein herein hereby itself themselves \
himself herself ourselves yourself well etc ie eg s t re ve ll d m vs let get gets got put way ways thing things sort kind \
addition case cases fact facts situation situations circumstances despite unlike onwards onward order respect regard terms accordance own any anything anyone anybody why not only lot that's it's what's who's us ok conversely additionally similarly likewise indeed finally firstly secondly lastly instance example once \
exist exists existed total totals totalling altogether overall amount amounts amounted stand stands stood come comes came";

/// Prepositions, for finding phrases that narrow what is claimed.
const PREPOSITIONS: &str = "about above across after against along among amongst around as at before behind below beneath beside \
between beyond by despite down during except for from in inside into like near of off on onto out outside over past per regarding \
since through throughout to toward towards under underneath until till up upon via with within without";

const DETERMINERS: &str = "a an the this that these those its their his her our your my any some each every no all both another such";

const CONJUNCTIONS: &str = "and or but nor yet so";

/// Auxiliaries by tense.
const PAST: &str = "was were had did";
const PRESENT: &str = "is are am has have do does";

/// Base, past and participle of verbs that do not go by "-ed".
const IRREGULAR: &str = "arise arose arisen|awake awoke awoken|beat beat beaten|bend bent bent|bite bit bitten|breed bred bred|burst burst burst|cast cast cast|cling clung clung|creep crept crept|drink drank drunk|feed fed fed|flee fled fled|forecast forecast forecast|foresee foresaw foreseen|forgive forgave forgiven|hang hung hung|hurt hurt hurt|kneel knelt knelt|leap leapt leapt|light lit lit|outdo outdid outdone|overcome overcame overcome|oversee oversaw overseen|overtake overtook overtaken|quit quit quit|ride rode ridden|ring rang rung|seek sought sought|shed shed shed|shine shone shone|shoot shot shot|sing sang sung|sleep slept slept|slide slid slid|spin spun spun|spring sprang sprung|sting stung stung|strive strove striven|sweep swept swept|swim swam swum|swing swung swung|tear tore torn|undergo underwent undergone|uphold upheld upheld|wake woke woken|weave wove woven|wind wound wound|be was been|bear bore borne|become became become|begin began begun|bind bound bound|blow blew blown|\
break broke broken|bring brought brought|build built built|burn burnt burnt|buy bought bought|catch caught caught|choose chose chosen|\
come came come|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|\
feel felt felt|fight fought fought|find found found|fly flew flown|forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|\
get got got|give gave given|go went gone|grind ground ground|grow grew grown|have had had|hear heard heard|hide hid hidden|hit hit hit|\
hold held held|keep kept kept|know knew known|lay laid laid|lead led led|learn learnt learnt|leave left left|lend lent lent|let let let|\
lie lay lain|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|read read read|rise rose risen|\
run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|show showed shown|\
shrink shrank shrunk|shut shut shut|sink sank sunk|sit sat sat|speak spoke spoken|spend spent spent|split split split|spread spread spread|\
stand stood stood|steal stole stolen|stick stuck stuck|strike struck struck|swear swore sworn|take took taken|teach taught taught|\
tell told told|think thought thought|throw threw thrown|understand understood understood|wear wore worn|win won won|withdraw withdrew withdrawn|\
write wrote written|override overrode overridden|undertake undertook undertaken|mislead misled misled|rebuild rebuilt rebuilt|redo redid redone";

/// Verbs in their base form, beside the irregular ones.
const VERBS: &str = "accept access account achieve acquire act add address adjust admit adopt affect agree aid allow alter amend announce answer \
appear append apply appoint approve argue arrange arrive ask assign assist assume attach attempt attend authorise authorize avoid award back ban \
base behave belong benefit block borrow calculate call cancel carry cause cease change charge check claim clear close collect combine commence \
compare compile complain complete comply compress compute concern conclude conduct confirm conform connect consider consist constitute construct \
consult consume contain continue contribute control convert convey copy correct cost count cover create cross date decide declare decline decrease \
deduct define delay delegate delete deliver demand denote deny depend deploy depreciate describe design detect determine develop differ \
disable disappear discover discuss display distribute divide document donate download drop earn elect emit employ empty enable encourage encrypt end \
enforce ensure enter equal escape establish estimate evacuate evaluate examine exceed exchange exclude execute exist expand expect expel expire \
explain export express extend extract fail fetch file fill finance finish fire fit fix follow force form function fund gain generate govern grant \
guarantee handle happen head heat help hire ignore implement import imply improve include increase indicate inform inherit insert inspect install \
instruct insulate integrate intend interpret interrupt introduce invest investigate involve issue join judge kill label lack last launch license \
lift limit link list live load locate lock log look lower maintain manage map mark match matter measure meet melt mention merge mirror modify \
monitor mount move multiply name need note notice notify number object oblige observe obtain occupy occur offer open operate oppose order \
organise organize overlook own pack participate pass perform permit place plan play point possess postpone prefer prepare present preserve press \
prevent print proceed process produce prohibit project promise propose protect prove provide publish pump punish purchase push raise range rate ratify reach \
realise realize receive recognise recommend record recover redistribute reduce refer refill refuse regard register regulate reject relate release \
rely remain remark remember remind remove renew rent repair repay repeat replace reply report represent reproduce request require reserve \
reset reside resign resolve respond rest restart restore restrict result retain retrieve return reveal reverse review revise revoke reward rotate round rule \
sail sanction satisfy save scan schedule score seal search secure select separate serve settle share shift shorten sign signal slow smell solve sort \
specify stack start state stay stop store stress stretch strip study submit succeed suffer suggest supersede supply support suppose surround \
survive suspend switch tag talk target tax terminate test thank touch trade train transfer transform translate transmit travel treat trigger trust try turn type \
update upgrade upload use utilise utilize validate value vanish vary verify violate visit vote wait walk want warm warn wash waste watch weigh welcome \
widen wish withhold work worry worsen yield abolish leak hurt cool dissolve invite lease pollute praise preside promote quit rank sue testify thrive \
abandon absorb accelerate accompany accuse adapt advertise advise aggravate allocate analyse analyze anticipate \
assemble assert assess attract attribute beat bend boast bounce breed broadcast \
bury capture celebrate circulate cite coincide collapse commit \
communicate compensate compete complement compose comprise concede concentrate confine confuse congratulate conserve \
contradict cooperate cope correspond criticise criticize cultivate dare dedicate \
deem defend defer demolish demonstrate depart depict deploy derive descend deserve destroy deteriorate diagnose diminish disagree \
disclose dismiss disrupt dominate drown edit educate eliminate embrace emerge \
emphasise emphasize encounter endorse endure engage enhance enjoy enlarge enrol enroll entail entitle erode erupt evolve exclude exempt \
exile expire explode exploit explore expose face facilitate feed flee foresee \
forgive formulate foster found gather graduate halve hang hinder \
identify illustrate impose impress imprison incorporate incur induce infect influence inhabit initiate injure inspire instal insure intensify \
interact interview invade invent jeopardise justify lag lean leap lend linger listen litter lobby logged lose \
marry mature maximise melt migrate minimise mobilise murder nominate omit opt originate oust outline outnumber \
outpace outperform outweigh overcome overhaul oversee overtake overturn owe patrol perceive persist persuade pick \
plead pledge pose pour predict presume prevail prioritise privatise prolong prompt pronounce prosecute prosper provoke pull pursue \
qualify quadruple radiate react realise reappear reassure rebound recall reckon reclaim recognize recruit recycle redesign refine reflect \
refurbish regain reign reinforce reject relax relieve relocate render renovate reopen reorganise repeal replicate resemble resist resort \
restructure resume retire retreat reunite revive revolve rip roam rob sacrifice salvage scatter \
seat seize separate shine shoot shout shrink shuttle simplify slash sleep soar spark spawn \
specialise specialize speculate spill spin spread stabilise stimulate strengthen strive \
subsidise substitute surge surpass surrender swap sweep swim switch symbolise tackle taste tear tend threaten tighten tolerate trace \
trim triple tumble twist undergo undermine underline unify unite unveil urge utilise vacate vow wander \
weaken welcome wipe worship wrap";

/// Verbs whose third person is no plural noun.
const ONLY_VERBS: &str = "accept achieve add allow appear appoint apply ask avoid become begin belong bring build buy carry choose come compare connect consider consist contain continue convert create decide declare define deliver demonstrate depend describe determine differ emit employ enable ensure enter establish exist explain extend fail fall find follow generate get give go grow guarantee happen have help hold identify ignore implement improve include increase indicate inform insert install introduce involve join keep know lead learn lose lower maintain make mean meet modify need obtain occur operate own pay perform permit prevent prohibit produce propose protect prove provide publish put receive recommend reduce refer reject rely remain remember remove replace represent require reset resolve restrict retain return save see seem select sell send serve show solve speak specify spend stay store suggest supersede support take teach tell tend terminate think treat try understand use verify want win write affirm constitute construct lose employ achieve attract comprise feature exceed account rely consist surpass generate attain acquire oversee undergo oppose renovate restore expire arise rise agree";

/// Verbs that are met far more often than the noun of the same form, from WordNet's counts; see examples/thesaurus.rs.
const MOSTLY_VERBS: &str = include_str!("verbs.txt");
/// Lines of its notice.
const MOSTLY_VERBS_NOTICE: usize = 3;

/// Their stems, but for those that a noun or adjective has too: "nationalize" and "nation".
fn mostly_verbs() -> impl Iterator<Item = String> {
    let words = MOSTLY_VERBS.lines().skip(MOSTLY_VERBS_NOTICE).flat_map(str::split_whitespace);
    words
        .map(|word| (word, stem(word)))
        .filter(|(word, stem)| stem.len() + 2 > word.len())
        .map(|(_, stem)| stem)
}

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

static FUNCTION_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(FUNCTION));
static PREPOSITION_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(PREPOSITIONS));
static DETERMINER_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(DETERMINERS));
static VERB_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let irregular = IRREGULAR.split('|').filter_map(|forms| forms.split(' ').next());
    let prefixed = FORMS.values().map(|(base, ..)| base.as_str());
    let listed = VERBS.split_whitespace().chain(irregular).chain(prefixed).map(stem);
    listed.chain(mostly_verbs()).collect()
});
static ONLY_VERB_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| ONLY_VERBS.split_whitespace().map(stem).chain(mostly_verbs()).collect());
/// Beginnings that make another verb of an irregular one: "overwrite", "rebuild".
const PREFIXES: [&str; 7] = ["", "over", "under", "re", "out", "mis", "un"];

/// From an irregular form to its base; (base, is a past, is a participle).
static FORMS: LazyLock<HashMap<String, (String, bool, bool)>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for (line, prefix) in IRREGULAR.split('|').flat_map(|line| PREFIXES.map(|prefix| (line, prefix))) {
        let mut words = line.split(' ').map(|word| format!("{prefix}{word}"));
        let (Some(base), Some(past), Some(participle)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        if participle != past && participle != base {
            forms.entry(participle.clone()).or_insert_with(|| (base.clone(), false, true));
        }
        if past != base {
            let both = past == participle;
            forms.entry(past).or_insert((base, true, both));
        }
    }
    forms
});
/// By their first word: the other words of a phrase, and what it does.
type Phrases = HashMap<&'static str, Vec<(Vec<&'static str>, Operator)>>;

static OPERATOR_PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases: HashMap<&str, Vec<(Vec<&str>, Operator)>> = HashMap::new();
    for (operator, list) in OPERATORS {
        for phrase in list.split('|') {
            let mut words = phrase.split(' ');
            if let Some(first) = words.next() {
                phrases.entry(first).or_default().push((words.collect(), *operator));
            }
        }
    }
    for list in phrases.values_mut() {
        list.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
    }
    phrases
});

pub(super) fn is_function(word: &str) -> bool {
    FUNCTION_WORDS.contains(word)
}

static VERB_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let irregular = IRREGULAR.split('|').filter_map(|forms| forms.split(' ').next());
    let listed = MOSTLY_VERBS.lines().skip(MOSTLY_VERBS_NOTICE).flat_map(str::split_whitespace);
    VERBS.split_whitespace().chain(ONLY_VERBS.split_whitespace()).chain(irregular).chain(listed).collect()
});

/// "developers", "permissions": a plural whose stem is that of a verb, but which is none.
pub(super) fn is_surely_plural(word: &str) -> bool {
    let noun = ["ers", "ors", "ions", "ments", "nesses", "ists", "ities"]
        .iter()
        .any(|ending| word.ends_with(ending));
    noun && !word.strip_suffix('s').is_some_and(|base| VERB_WORDS.contains(base))
}

/// "quickly", not "comply" or "family".
pub(super) fn is_adverb(word: &str) -> bool {
    word.len() > 4
        && word.ends_with("ly")
        && !VERB_WORDS.contains(word)
        && !matches!(
            word,
            "family" | "assembly" | "anomaly" | "early" | "likely" | "only" | "july" | "elderly" | "italy"
        )
}

/// Seasons, months, days, and what they are counted in.
const TIMES: &str = "winter summer spring autumn january february march april may june july august september october november december monday tuesday \
wednesday thursday friday saturday sunday night day morning evening year month week";

pub(super) fn is_time(word: &str) -> bool {
    let one = word.trim_end_matches('s');
    TIMES.split_whitespace().any(|time| time == one)
}

/// "the following table", "the respective owner": words beside a noun that do not tell which of several.
pub(super) fn names_no_subset(word: &str) -> bool {
    const POINTING: &str =
        "following preceding aforementioned respective corresponding actual accompanying concerned involved";
    POINTING.split(' ').any(|other| other == word)
}

/// Words that say that there is none before or above.
pub(super) fn is_ranking(word: &str) -> bool {
    const RANKS: &str = "first last second third best worst main most least next final";
    const OTHERS: &str = "request interest forest honest latest invest harvest suggest protest";
    let listed = |list: &str| list.split(' ').any(|other| other == word);
    listed(RANKS) || (word.ends_with("est") && word.len() > 5 && !listed(OTHERS))
}

pub(super) fn is_preposition(word: &str) -> bool {
    PREPOSITION_WORDS.contains(word)
}

pub(super) fn is_determiner(word: &str) -> bool {
    DETERMINER_WORDS.contains(word)
}

pub(super) fn is_conjunction(word: &str) -> bool {
    CONJUNCTIONS.split(' ').any(|other| other == word)
}

pub(super) fn is_past_auxiliary(word: &str) -> bool {
    PAST.split(' ').any(|other| other == word)
}

pub(super) fn is_present_auxiliary(word: &str) -> bool {
    PRESENT.split(' ').any(|other| other == word)
}

pub(super) fn is_be(word: &str) -> bool {
    matches!(word, "is" | "are" | "am" | "was" | "were" | "be" | "been" | "being")
}

pub(super) fn is_modal(word: &str) -> bool {
    matches!(
        word,
        "may"
            | "needn't"
            | "can"
            | "might"
            | "could"
            | "must"
            | "shall"
            | "should"
            | "will"
            | "would"
            | "cannot"
            | "ought"
    )
}

/// Is this word, whose stem is given, a form of a verb we know?
pub(super) fn is_verb(word: &str, word_stem: &str) -> bool {
    VERB_STEMS.contains(word_stem) || FORMS.contains_key(word)
}

/// Is the third person of this verb surely a verb?
pub(super) fn is_only_verb(word_stem: &str) -> bool {
    ONLY_VERB_STEMS.contains(word_stem)
}

/// The base of an irregular form, whether it is a past and whether a participle.
pub(super) fn irregular(word: &str) -> Option<(&'static str, bool, bool)> {
    FORMS.get(word).map(|(base, past, participle)| (base.as_str(), *past, *participle))
}

/// The operator a run of words begins with, and how many words it takes.
pub(super) fn operator(words: &[&str]) -> Option<(Operator, usize)> {
    let (first, rest) = words.split_first()?;
    let phrases = OPERATOR_PHRASES.get(*first)?;
    phrases
        .iter()
        .find(|(phrase, _)| {
            phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(own, other)| own == other)
        })
        .map(|(phrase, operator)| (*operator, phrase.len() + 1))
}
