# A command agent: JSON comes on stdin, JSON goes to stdout. It proposes what last month's load allows, and objects
# to a broker that is much larger than the load.
input=$(cat)
peak=$(awk -F, 'NR > 1 && $2 > peak { peak = $2 } END { print peak + 0 }' load.csv)
case "$input" in
*'"phase":"critique"'*)
    echo '{"text": "Measured against a peak of '"$peak"' jobs a second.", "objections": []}'
    ;;
*)
    if [ "$peak" -lt 500 ]; then broker='postgres table'; else broker='rabbitmq'; fi
    printf '{"text": "The peak was %s jobs a second. A %s carries that, a job survives a restart, and it is no new server.", ' "$peak" "$broker"
    printf '"positions": {"broker": "%s", "delivery": "at least once", "history": "30 days"}, "covers": ["R1", "R2"]}\n' "$broker"
    ;;
esac
