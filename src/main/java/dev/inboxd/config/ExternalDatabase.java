package dev.inboxd.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A PostgreSQL server that the operator runs.
 *
 * @param jdbcUrl URL for the driver, without user and password, so that it may be printed
 * @param login our credentials; the driver's defaults when absent
 */
public record ExternalDatabase(String jdbcUrl, Optional<Credentials> login) {
    /**
     * Parses {@code postgres://user:password@host:port,host:port/database?option=value}, the same with
     * {@code postgresql://}, or the JDBC form, in which user and password are options.
     *
     * @throws IllegalArgumentException when the text has none of these forms
     */
    static ExternalDatabase parse(String text) {
        String rest = afterScheme(text.startsWith("jdbc:") ? text.substring(5) : text);
        int query = rest.indexOf('?');
        String authority = query < 0 ? rest : rest.substring(0, query);
        int at = authority.lastIndexOf('@');
        Credentials inAuthority =
                at < 0 ? new Credentials("", new Secret("")) : Credentials.parse(authority.substring(0, at));
        String hosts = authority.substring(at + 1);
        check(hosts);
        String user = inAuthority.user();
        Secret password = inAuthority.password();
        List<String> options = new ArrayList<>();
        for (String option :
                query < 0 ? new String[0] : rest.substring(query + 1).split("&", -1)) {
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
