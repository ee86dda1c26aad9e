# shellcheck shell=bash disable=SC2154  # what is not set here is set by common.sh
# A search server with a site to search: Debian's searx over a full-text database of pages, and the pages themselves
# behind a static HTTP server. Sourced after common.sh.

# need_searx: installs Debian's package when we may, says what to install when we may not.
need_searx() {
    searx=$(command -v searx-run || true)
    if [[ -z $searx && $(id -u) -eq 0 ]] && command -v apt-get >/dev/null; then
        echo "searx is missing, installing Debian's package"
        install_searx || { apt-get update -qq && install_searx; } || true
        searx=$(command -v searx-run || true)
    fi
    [[ -n $searx ]] || give_up "searx is missing; on Debian and Ubuntu install it with: apt-get install searx"
    echo "searx $(dpkg-query --show --showformat '${Version}' searx 2>/dev/null || echo 'of unknown version')"
}

install_searx() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends searx >"$folder/apt.log" 2>&1
}

# start_site: pages of the example corpus; its address is in $site, its host and port in $site_host.
start_site() {
    local pages port
    mkdir "$folder/site"
    # Port 0 lets the system choose, so that nobody can take it before us.
    start "$folder/site.log" python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder/site/pages"
    site_server=$started
    waits_for 20 grep -q 'Serving HTTP' "$folder/site.log" || give_up "the site did not start; see $folder/site.log"
    port=$(sed -n 's/^Serving HTTP on .* port \([0-9]*\).*/\1/p' "$folder/site.log")
    site_host=127.0.0.1:$port
    site=http://$site_host
    pages=$(python3 "$root/scripts/live/lib/site.py" "$root/examples/corpus" "$folder/site/pages" "$folder/site/pages.db" "$site")
    answers "$site/annual-report-2025.html" "$site_server" || give_up "the site does not answer; see $folder/site.log"
    echo "a site of $pages pages at $site"
}

# searx_settings PORT: the settings of a server whose one engine searches the site. Every word of a query may match.
searx_settings() {
    local base=/usr/share/python3-searx
    cat <<YAML
general: {debug: false, instance_name: live, contact_url: false, enable_stats: false}
brand: {git_url: "", git_branch: "", issue_url: "", docs_url: "", public_instances: "", wiki_url: "", twitter_url: ""}
search: {safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 1, max_ban_time_on_fail: 1, formats: [html, json, rss]}
server: {port: $1, bind_address: 127.0.0.1, secret_key: "$RANDOM$RANDOM$RANDOM", base_url: false, image_proxy: false,
  http_protocol_version: "1.0", method: GET, default_http_headers: {}}
ui: {static_path: $base/static, templates_path: $base/templates, default_theme: oscar, default_locale: "",
  theme_args: {oscar_style: logicodev}}
outgoing: {request_timeout: 5.0, useragent_suffix: "", pool_connections: 10, pool_maxsize: 5}
doi_resolvers: {none: "http://127.0.0.1/"}
default_doi_resolver: none
locales: {en: English}
engines:
- name: site
  engine: sqlite
  shortcut: st
  categories: general
  database: $folder/site/pages.db
  result_template: default.html
  query_str: >-
    SELECT title, snippet(pages, 1, '', '', '…', 40) AS content, url FROM pages
    WHERE pages MATCH '"' || replace(replace(:query, '"', ' '), ' ', '" OR "') || '"' ORDER BY rank
YAML
}

# start_searx: on a free port; its address is in $searx_url, its process in $searx_server.
start_searx() {
    local port _
    for _ in 1 2 3; do
        port=$(free_port)
        searx_settings "$port" >"$folder/searx.yml"
        SEARX_SETTINGS_PATH=$folder/searx.yml start "$folder/searx.log" "$searx"
        searx_server=$started
        searx_url=http://127.0.0.1:$port
        # Whoever holds the port might answer too: only searx says that it runs there.
        waits_for 30 runs_or_ended && answers "$searx_url/search?q=harlund&format=json" "$searx_server" && return
        stop "$searx_server"
        echo "searx did not start on port $port: $(tail -n 1 "$folder/searx.log")"
    done
    give_up "searx did not start; see $folder/searx.log"
}

# runs_or_ended: whether searx is past its start, well or badly.
runs_or_ended() {
    grep -q "Running on $searx_url" "$folder/searx.log" || ! kill -0 "$searx_server"
}

# searches: how often searx was asked.
searches() {
    grep -c '"GET /search' "$folder/searx.log" || true
}

# fetches: how often the site was asked for something.
fetches() {
    grep -c '"GET ' "$folder/site.log" || true
}

# fetched_since COUNT: whether it was asked more often than that.
fetched_since() {
    [[ $(fetches) -gt $1 ]]
}

# asked_robots_first: whether the first thing the site was asked for, after our own look, is robots.txt.
asked_robots_first() {
    grep '"GET ' "$folder/site.log" | sed -n 2p | grep -q 'GET /robots.txt'
}
