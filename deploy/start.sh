# How Java is started: read by ./inboxd of a checkout and by bin/inboxd of the package. Builtins of the shell only.
# shellcheck shell=sh

# A stream that is closed would be taken by the next file or socket that Java opens: a closed input is an empty one, and
# nothing can be written to a closed output.
{ true 9<&0; } 2>/dev/null || exec </dev/null
{ true 9>&1; } 2>/dev/null || exec 1</dev/null
{ true 9>&2; } 2>/dev/null || exec 2>/dev/null

# Java reads arguments and names of files by the locale, which cron, containers and systemd leave out.
LC_ALL=C.UTF-8
export LC_ALL

# Prints the first line of a file; nothing when it cannot be read.
first_line() {
    line=
    { read -r line <"$1" || true; } 2>/dev/null
    printf '%s' "$line"
}

# Keeps the smaller of the memory so far and what a file allows; a file without a number allows all.
limit_memory() {
    limit=$(first_line "$1")
    case $limit in
        '' | *[!0-9]*) ;;
        *) [ $((limit / 1048576)) -ge "$memory" ] || memory=$((limit / 1048576)) ;;
    esac
}

# The memory of this machine in MB: all of it, or what its control groups allow (systemd, containers); 0 if unknown.
machine_memory() {
    memory=0 group=
    if [ -r /proc/meminfo ]; then
        while read -r name kilobytes _; do
            [ "$name" != MemTotal: ] || memory=$((kilobytes / 1024))
        done </proc/meminfo
    else
        memory=$(($(sysctl -n hw.memsize 2>/dev/null || echo 0) / 1048576)) # macOS
    fi
    if [ -r /proc/self/cgroup ]; then
        while IFS=: read -r number _ path; do
            [ "$number" != 0 ] || group=${path%/}
        done </proc/self/cgroup
    fi
    limit_memory /sys/fs/cgroup/memory/memory.limit_in_bytes
    while :; do
        limit_memory "/sys/fs/cgroup$group/memory.max"
        case $group in
            */*) group=${group%/*} ;;
            *) break ;;
        esac
    done
    echo "$memory"
}

# The largest heap. With auto it is a quarter of the memory: PostgreSQL, its files and other processes need the rest.
heap_size() {
    case ${INBOXD_MEMORY:-} in
        '') echo 208m ;;
        auto)
            quarter=$(($(machine_memory) / 4))
            [ "$quarter" -ge 208 ] || quarter=208
            [ "$quarter" -le 4096 ] || quarter=4096
            echo "${quarter}m"
            ;;
        *[!0-9]?* | [!1-9]* | *[!mMgG])
            printf 'inboxd: INBOXD_MEMORY is "%s"; allowed: auto, or the size of Java'"'"'s heap such as 512m or 2g\n' \
                "$INBOXD_MEMORY" >&2
            exit 1
            ;;
        *) echo "$INBOXD_MEMORY" ;;
    esac
}

heap=$(heap_size)

# Java's options: small memory by default. INBOXD_JAVA_OPTS comes last and takes precedence. It may name a garbage
# collector; ours is then left out, because Java refuses two.
java_options() {
    case ${INBOXD_JAVA_OPTS:-} in
        *-XX:+Use*GC*) ;;
        *) printf '%s ' -XX:+UseSerialGC ;;
    esac
    # A small initial heap: garbage of the start is collected early, and the memory stays free for other processes.
    case ${INBOXD_JAVA_OPTS:-} in
        *-Xm[sx]*) ;;
        *) printf '%s ' -Xms48m ;;
    esac
    # References in a cache line of 64 bytes. To determine this number itself, Jetty would start JMX and the flight
    # recorder.
    printf '%s ' -Dorg.eclipse.jetty.util.referencesPerCacheLine=16
    # Huge pages for the heap, where the kernel grants them on request: a tenth less processor time of Java under load.
    # Only those of 2 MB: a kernel with larger base pages has huge pages of up to 512 MB, too large for a small heap.
    case ${INBOXD_JAVA_OPTS:-}$(first_line /sys/kernel/mm/transparent_hugepage/enabled)$(first_line \
            /sys/kernel/mm/transparent_hugepage/hpage_pmd_size) in
        *LargePages*) ;;
        *'[always]'*2097152 | *'[madvise]'*2097152) printf '%s ' -XX:+UseTransparentHugePages ;;
    esac
    # Out of memory, the process exits, and its supervisor starts it again: it could not serve reliably any more.
    printf '%s ' -XX:+UseCompactObjectHeaders "-Xmx$heap" -XX:MaxMetaspaceSize=128m -XX:+ExitOnOutOfMemoryError \
        --enable-native-access=ALL-UNNAMED
    printf '%s' "${INBOXD_JAVA_OPTS:-}"
}

# Runs inboxd in place of the shell: start JAVA JAR CACHE ARGUMENTS…
# Java passes over a cache that it cannot use, another jar's for example, and logs nothing then.
start() {
    java=$1 jar=$2 cache=$3 programs=${3%/*}/programs
    shift 3
    tier=
    case ${1:-} in
        mail | version | help | completion)
            # It ends before optimized code would pay, and the cache has the classes of the service, all loaded at the
            # start.
            # shellcheck disable=SC2046
            exec "$java" -XX:TieredStopAtLevel=1 $(java_options) -jar "$jar" "$@"
            ;;
        serve | mcp | backup | restore | move | prepare) ;;
        *) tier=-XX:TieredStopAtLevel=1 ;; # what an operator asks for ends soon, too
    esac
    if [ -s "$cache" ]; then
        # shellcheck disable=SC2046,SC2086
        exec "$java" $tier $(java_options) -XX:AOTCache="$cache" '-Xlog:aot*=off' -Dinboxd.cache="$cache" \
            -Dinboxd.programs="$programs" -jar "$jar" "$@"
    fi
    # shellcheck disable=SC2046,SC2086
    exec "$java" $tier $(java_options) -Dinboxd.cache="$cache" -Dinboxd.programs="$programs" -jar "$jar" "$@"
}
