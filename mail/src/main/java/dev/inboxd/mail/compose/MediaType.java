package dev.inboxd.mail.compose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A parsed media type (RFC 2045 §5.1). It is written from its parts, so no other text of the input gets into a
 * message.
 */
record MediaType(String type, String subtype, List<Parameter> parameters) {
    static final MediaType OCTET_STREAM = new MediaType("application", "octet-stream", List.of());

    /** RFC 2231 §3 does not bound the length of a value; mail servers read 2,048. */
    private static final int MAX_LENGTH = 2_048;

    record Parameter(String name, String value) {}

    /** Whether the type is composite, which must not be base64 or quoted-printable (RFC 2045 §6.4). */
    boolean isComposite() {
        return type.equals("message") || type.equals("multipart");
    }

    boolean isMultipart() {
        return type.equals("multipart");
    }

    @Override
    public String toString() {
        return type + "/" + subtype;
    }

    static MediaType parse(String field, String text) {
        SafeText.header(field, text);
        if (text.length() > MAX_LENGTH) {
            throw new MalformedFieldException(field, "is longer than " + MAX_LENGTH + " characters");
        }
        return new Scanner(field, text).mediaType();
    }

    private static final class Scanner {
        private final String field;
        private final String text;
        private int at;

        Scanner(String field, String text) {
            this.field = field;
            this.text = text;
        }

        MediaType mediaType() {
            var type = token();
            expect('/');
            var subtype = token();
            var parameters = new ArrayList<Parameter>();
            while (more()) {
                expect(';');
                if (more()) {
                    var name = token();
                    expect('=');
                    add(parameters, new Parameter(name, value()));
                }
            }
            return new MediaType(type, subtype, List.copyOf(parameters));
        }

        /** Refuses a repeated name, and a name in the form of RFC 2231: two readers could read two different values. */
        private void add(List<Parameter> parameters, Parameter parameter) {
            boolean repeated =
                    parameters.stream().anyMatch(earlier -> earlier.name().equals(parameter.name()));
            if (repeated || parameter.name().indexOf('*') >= 0) {
                throw malformed();
            }
            parameters.add(parameter);
        }

        private String token() {
            skipSpace();
            int start = at;
            while (at < text.length() && ";/=\" \t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return checked(text.substring(start, at)).toLowerCase(Locale.ROOT);
        }

        private String value() {
            skipSpace();
            if (at < text.length() && text.charAt(at) == '"') {
                return quoted();
            }
            int start = at;
            while (at < text.length() && "; \t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return checked(text.substring(start, at));
        }

        private String quoted() {
            var value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return value.toString();
                }
                if (c == '\\' && ++at < text.length()) {
                    c = text.charAt(at);
                }
                value.append(c);
            }
            throw malformed();
        }

        private boolean more() {
            skipSpace();
            return at < text.length();
        }

        private void expect(char c) {
            skipSpace();
            if (at >= text.length() || text.charAt(at++) != c) {
                throw malformed();
            }
        }

        private void skipSpace() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }

        private String checked(String token) {
            if (!SafeText.isToken(token)) {
                throw malformed();
            }
            return token;
        }

        private MalformedFieldException malformed() {
            return new MalformedFieldException(field, "is not a media type");
        }
    }
}
