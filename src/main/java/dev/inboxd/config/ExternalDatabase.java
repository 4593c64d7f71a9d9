package dev.inboxd.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A PostgreSQL that is run by somebody else.
 *
 * @param jdbcUrl the URL for the driver, without name and password, so it may be shown
 * @param login who we are there; the driver's defaults when there is none
 */
public record ExternalDatabase(String jdbcUrl, Optional<Credentials> login) {
    /**
     * Reads {@code postgres://user:password@host:port,host:port/database?option=value}, the same with
     * {@code postgresql://}, or the JDBC form, in which name and password are options.
     */
    static ExternalDatabase parse(String text) {
        String rest = afterScheme(text.startsWith("jdbc:") ? text.substring(5) : text);
        int query = rest.indexOf('?');
        String place = query < 0 ? rest : rest.substring(0, query);
        int at = place.lastIndexOf('@');
        Credentials inPlace = at < 0 ? new Credentials("", new Secret("")) : Credentials.parse(place.substring(0, at));
        String hosts = place.substring(at + 1);
        check(hosts);
        String user = inPlace.user();
        Secret password = inPlace.password();
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
        throw new IllegalArgumentException("no PostgreSQL URL");
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
