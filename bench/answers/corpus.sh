#!/bin/sh
# Rebuilds the document folders the questions are about from Debian documentation packages:
#   OUT/dev       for questions/dev.json
#   OUT/more_dev  for questions/more_dev.json
#   OUT/third_dev for questions/third_dev.json
#   OUT/fourth_dev for questions/fourth_dev.json
#   OUT/held_out  for questions/held_out.json
#   OUT/held_out_2 for questions/held_out_2.json
#   OUT/last      for questions/last.json
#   OUT/last_2    for questions/last_2.json
#   OUT/last_3    for questions/last_3.json
#   OUT/last_4    for questions/last_4.json
#   OUT/last_5    for questions/last_5.json
# The text belongs to its authors and is never committed.
# usage: corpus.sh OUT     (needs apt-get, after `apt-get update`, and dpkg-deb)
set -eu
out=$1
mkdir -p "$out/debs" "$out/unpacked"
cd "$out"
packages="python3.11-doc git-doc sqlite3-doc debian-policy developers-reference postgresql-doc-15
apache2-doc postfix-doc rsyslog-doc haproxy-doc debian-faq python-django-doc bind9-doc
cmake-doc zsh-doc vim-runtime debian-handbook installation-guide-amd64 ntpsec-doc nodejs-doc borgbackup-doc exim4-base
aptitude-doc-en shorewall-doc proftpd-doc privoxy mutt valgrind ledger gimp-help-en harden-doc debian-reference-en sphinx-doc
rust-doc slurm-wlm-doc putty-doc nut-doc python-celery-doc python-scrapy-doc mplayer-doc snakemake-doc supervisor-doc
beets-doc bochs-doc fish-common gpsbabel-doc i3-wm kea-doc krb5-doc libvirt-doc
apcupsd-doc doc-debian debian-history bzip2-doc nano maint-guide debconf-doc debian-reference-es debian-reference-fr
gnucash-docs lilypond-doc-html-es lilypond-doc-html-fr
stow rdiff-backup debian-edu-doc-en debian-edu-doc-de debian-edu-doc-es debian-edu-doc-fr
nethack-common jargon-text r-doc-html hplip-doc bash-doc
claws-mail-doc freedombox-doc-en freedombox-doc-es gammu-doc gosa-help-de"
[ -n "$(ls debs)" ] || (cd debs && apt-get download $packages)
[ -d unpacked/usr ] || for deb in debs/*.deb; do dpkg-deb -x "$deb" unpacked; done
doc=unpacked/usr/share/doc

# take SOURCE TARGET [SKIP]: the HTML files under SOURCE, less those whose path matches SKIP
take() {
    (cd "$1" && find . -type f \( -name '*.html' -o -name '*.html.gz' \) ! -path './_*') |
        grep -Ev "${3:-^$}" | while read -r file; do
            mkdir -p "$2/$(dirname "$file")"
            cp "$1/$file" "$2/$file"
        done
}
take $doc/python3.11/html dev/python 'genindex|^./search|py-modindex|whatsnew/changelog|^./contents|download'
take $doc/sqlite3 dev/sqlite '^./search|keyword|^./toc|/docs|^./sitemap|doclist|^./books|^./syntax/'
take $doc/postgresql-doc-15/html dev/postgres '^./bookindex|^./biblio|egalnotice|LEGAL'
take $doc/debian-policy/policy.html dev/policy 'genindex|^./search'
take $doc/git-doc dev/git '^./howto|^./technical|index|RelNotes'
take unpacked/usr/share/developers-reference dev/devref 'genindex|search'
for part in howto technical; do
    mkdir -p dev/git/$part
    find -L $doc/git-doc/$part -maxdepth 1 -type f -name '*.txt*' -exec cp {} dev/git/$part/ \;
done
take $doc/apache2-doc/manual/en held_out/apache
take $doc/postfix/html held_out/postfix
take $doc/python-django-doc/html held_out/django 'genindex|py-modindex|^./search'
take $doc/rsyslog-doc/html held_out/rsyslog 'genindex|^./search'
take $doc/bind9-doc/arm held_out/bind9 'genindex|^./search'
take $doc/debian/FAQ held_out/debian-faq '^./[^.]*\.html'
take $doc/haproxy/html held_out/haproxy
take $doc/cmake-data/html more_dev/cmake 'genindex|^./search'
take $doc/zsh-common/html more_dev/zsh
take $doc/debian-handbook/html/en-US more_dev/handbook
take $doc/installation-guide-amd64/en more_dev/install
take $doc/ntpsec-doc/html more_dev/ntp
take $doc/nodejs/api more_dev/node '^./all|^./assets|^./index'
take $doc/borgbackup-doc/html more_dev/borg 'genindex|^./search|^./book'
mkdir -p more_dev/vim more_dev/exim
cp unpacked/usr/share/vim/vim90/doc/*.txt more_dev/vim
cp $doc/exim4-base/spec.txt.gz $doc/exim4-base/filter.txt.gz more_dev/exim
take $doc/aptitude/html/en third_dev/aptitude
take $doc/shorewall-doc/html third_dev/shorewall
take $doc/proftpd-doc third_dev/proftpd
take $doc/privoxy third_dev/privoxy
take $doc/mutt third_dev/mutt
take $doc/valgrind/html third_dev/valgrind
take $doc/ledger third_dev/ledger
take unpacked/usr/share/gimp/2.0/help/en third_dev/gimp
take $doc/harden-doc/html/en-US third_dev/securing
take unpacked/usr/share/debian-reference third_dev/reference
take $doc/sphinx-doc/html third_dev/sphinx 'genindex|^./search|modindex'
take $doc/rust-doc/html/book third_dev/rust '^./print|edition'
take $doc/slurm-wlm/html fourth_dev/slurm 'man_index|configurator|rest_api|^./team|testimonials|publications|meetings|slurm_ug_agenda|disclaimer'
take $doc/putty-doc fourth_dev/putty '^./IndexPage'
take $doc/nut-doc/html fourth_dev/nut '^./FAQ\.html'
take $doc/python-celery-doc/html fourth_dev/celery 'genindex|^./search|modindex|^./history/changelog|^./internals/reference|^./copyright'
take $doc/python-scrapy-doc/html fourth_dev/scrapy 'genindex|^./search|modindex|^./404'
take $doc/mplayer/HTML/en fourth_dev/mplayer
take $doc/snakemake/html fourth_dev/snakemake 'genindex|^./search|modindex'
take $doc/supervisor/html fourth_dev/supervisor 'genindex|^./search|modindex'
take $doc/beets/html held_out_2/beets 'genindex|^./search|changelog'
take $doc/bochs held_out_2/bochs
take $doc/fish held_out_2/fish 'genindex|^./search'
take $doc/gpsbabel/html held_out_2/gpsbabel
take $doc/i3-wm held_out_2/i3
take $doc/kea/html held_out_2/kea 'genindex|^./search|kea-messages|grammar|umls'
take $doc/krb5-doc held_out_2/krb5 'genindex|^./search|^./appdev/refs|^./_static'
take $doc/libvirt-doc/html held_out_2/libvirt '^./html/|^./404|hvsupport|^./news|^./go/|virkey'
# Texts in English, Spanish and French for the last set.
mkdir -p last/debian last/history last/reference last/debconf
cp $doc/debconf/*.txt* last/debconf/
cp $doc/debian/constitution.txt.gz $doc/debian/social-contract.txt.gz $doc/debian/bug-*.txt.gz last/debian/
cp $doc/debian/mailing-lists.txt.gz last/debian/
cp $doc/debian/*.txt last/debian/
gunzip -c $doc/debian/debian-manifesto.gz >last/debian/manifesto.txt
take $doc/apcupsd/manual last/apcupsd
take $doc/nano last/nano
take $doc/bzip2 last/bzip2
take $doc/maint-guide/html last/maint
for language in en es fr; do cp $doc/debian-history/docs/*.$language.html last/history/; done
find unpacked -path '*debian-reference*' \( -name '*.es.html' -o -name '*.fr.html' \) -exec cp {} last/reference/ \;
# Licences, a guide to accounting in English and German, a manual of music in Spanish and French.
mkdir -p last_2/licences last_2/gnucash last_2/gnucash-de last_2/lilypond
for licence in Apache-2.0 Artistic CC0-1.0 GFDL-1.3 GPL-3 LGPL-2.1 MPL-2.0; do
    cp -L /usr/share/common-licenses/$licence last_2/licences/$licence.txt
done
cp $doc/gnucash-docs/gnucash-guide-en/*.html last_2/gnucash/
cp $doc/gnucash-docs/gnucash-guide-de/*.html last_2/gnucash-de/
for language in es fr; do
    for part in essay learning; do cp $doc/lilypond/html/Documentation/$part/*.$language.html last_2/lilypond/; done
done
rm -f last_2/gnucash*/fdl* last_2/lilypond/gnu-free-documentation-license*
# A manual of links, questions about a backup program, and the manual of a school network in four languages.
mkdir -p last_3/rdiff last_3/edu
take $doc/stow/manual-split last_3/stow 'GNU-General|^./[Ii]ndex'
for part in FAQ examples migration; do gunzip -c $doc/rdiff-backup/$part.adoc.gz >last_3/rdiff/$part.txt; done
for language in en de es fr; do
    cp $doc/debian-edu-doc-$language/debian-edu-bookworm-manual.html last_3/edu/manual.$language.html
done
# The same manual in three languages, a guide to a game, a dictionary of slang, R, Bash and a printing system.
mkdir -p last_4/edu last_4/edu-de last_4/edu-fr last_4/nethack last_4/jargon last_4/r last_4/hplip last_4/bash
for language in en de fr; do
    folder=last_4/edu-$language
    [ $language != en ] || folder=last_4/edu
    cp $doc/debian-edu-doc-$language/debian-edu-bookworm-manual.html $folder/
done
gunzip -c $doc/nethack-common/Guidebook.txt.gz >last_4/nethack/Guidebook.txt
gunzip -c $doc/jargon-text/jargon.txt.gz >last_4/jargon/jargon.txt
for part in FAQ data admin intro; do cp unpacked/usr/share/R/doc/manual/R-$part.html last_4/r/; done
cp $doc/hplip-doc/*.html last_4/hplip/
cp $doc/bash/bashref.html last_4/bash/
# A mail program in three languages, a home server in two, messages by telephone, and German help for accounts.
mkdir -p last_5/claws last_5/claws-es last_5/claws-fr last_5/freedombox last_5/freedombox-es
for language in en es fr; do
    folder=last_5/claws-$language
    [ $language != en ] || folder=last_5/claws
    cp $doc/claws-mail/manual/$language/claws-mail-manual.html $folder/
done
whole='anual\.part|ReleaseNotes'
take unpacked/usr/share/freedombox/manual/en last_5/freedombox "$whole"
take unpacked/usr/share/freedombox/manual/es last_5/freedombox-es "$whole"
for part in faq smsd; do take $doc/gammu/html/$part last_5/gammu/$part; done
take unpacked/usr/share/gosa/doc/core/de/html/users last_5/gosa-de
find dev more_dev third_dev fourth_dev held_out held_out_2 last last_2 last_3 last_4 last_5 -type f | wc -l
