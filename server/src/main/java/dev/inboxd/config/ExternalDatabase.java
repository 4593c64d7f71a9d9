package dev.inboxd.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A PostgreSQL server that the operator runs.
 *
 * @param jdbcUrl URL for the driver, without user and password, so that it may be printed
 * @param login our credentials; the driver's defaults when absent
 */
public record ExternalDatabase(String jdbcUrl, Optional<Credentials> login) {
    private static final String SERVER_TYPE = "targetServerType=";
    /** The driver's words for it; the second is the one of earlier versions. */
    private static final List<String> PRIMARY = List.of("primary", "master");

    /**
     * Parses {@code postgres://user:password@host:port,host:port/database?option=value}, the same with
     * {@code postgresql://}, or the JDBC form, in which user and password are options.
     *
     * @throws IllegalArgumentException when the text has none of these forms
     */
    static ExternalDatabase parse(String text) {
        String hierPart = afterScheme(text.startsWith("jdbc:") ? text.substring(5) : text);
        int query = hierPart.indexOf('?');
        String authority = query < 0 ? hierPart : hierPart.substring(0, query);
        int at = authority.lastIndexOf('@');
        Credentials inAuthority =
                at < 0 ? new Credentials("", new Secret("")) : Credentials.parse(authority.substring(0, at));
        String hosts = authority.substring(at + 1);
        check(hosts);
        String user = inAuthority.user();
        Secret password = inAuthority.password();
        List<String> options = new ArrayList<>();
        for (String option :
                query < 0 ? new String[0] : hierPart.substring(query + 1).split("&", -1)) {
            if (option.startsWith("user=")) {
                user = Credentials.decode(option.substring(5));
            } else if (option.startsWith("password=")) {
                password = new Secret(Credentials.decode(option.substring(9)));
            } else {
                options.add(option);
            }
        }
        String url = "jdbc:postgresql://" + hosts + (options.isEmpty() ? "" : "?" + String.join("&", options));
        return new ExternalDatabase(
                url, user.isEmpty() ? Optional.empty() : Optional.of(new Credentials(user, password)));
    }

    /**
     * One of the hosts of a URL.
     *
     * @param name host and port as the URL names them
     * @param database the database on this host alone, be it a primary or a standby
     */
    public record Host(String name, ExternalDatabase database) {}

    /** The hosts of the URL, in its order. */
    public List<Host> hosts() {
        int start = jdbcUrl.indexOf("//") + 2;
        int end = jdbcUrl.indexOf('/', start);
        String pathAndOptions = jdbcUrl.substring(end);
        int query = pathAndOptions.indexOf('?');
        String options = query < 0
                ? ""
                : Arrays.stream(pathAndOptions.substring(query + 1).split("&", -1))
                        .filter(option -> !option.startsWith(SERVER_TYPE))
                        .collect(Collectors.joining("&"));
        String path = (query < 0 ? pathAndOptions : pathAndOptions.substring(0, query))
                + (options.isEmpty() ? "" : "?" + options);
        return Arrays.stream(jdbcUrl.substring(start, end).split(",", -1))
                .map(host -> new Host(host, new ExternalDatabase("jdbc:postgresql://" + host + path, login)))
                .toList();
    }

    /** Whether only a server that takes changes will do; else the first that answers is used, be it a standby. */
    public boolean wantsPrimary() {
        return PRIMARY.stream().anyMatch(type -> (jdbcUrl + "&").contains(SERVER_TYPE + type + "&"));
    }

    private static String afterScheme(String text) {
        for (String scheme : List.of("postgres://", "postgresql://")) {
            if (text.startsWith(scheme)) {
                return text.substring(scheme.length());
            }
        }
        throw new IllegalArgumentException("not a PostgreSQL URL");
    }

    private static void check(String hostsAndDatabase) {
        int slash = hostsAndDatabase.indexOf('/');
        if (slash < 0 || slash == hostsAndDatabase.length() - 1) {
            throw new IllegalArgumentException("no database name");
        }
        for (String host : hostsAndDatabase.substring(0, slash).split(",", -1)) {
            HostPort.parse(host, 5432);
        }
    }
}
