package dev.inboxd.base.blob;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Location of blobs in S3.
 *
 * @param bucket an existing bucket
 * @param prefix prefix of every key; empty, or ending in a slash
 * @param endpoint a server other than Amazon's
 * @param region region of the bucket; null to take it from the environment
 * @param accessKey null to take the credentials from the environment
 */
record S3Location(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region,
        @Nullable String accessKey,
        @Nullable String secretKey) {

    /** Parses {@code s3://[key:secret@]bucket[/prefix][?endpoint=…&region=…]}. */
    static S3Location parse(String url) {
        URI uri = URI.create(url);
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException("An S3 URL names its bucket: s3://bucket/prefix");
        }
        int at = authority.lastIndexOf('@');
        int colon = at < 0 ? -1 : authority.indexOf(':');
        if (at >= 0 && (colon < 0 || colon > at)) {
            throw new IllegalArgumentException("Credentials in an S3 URL are written key:secret@bucket");
        }
        String path = uri.getPath();
        String prefix = path.isEmpty() || path.equals("/") ? "" : path.substring(1) + (path.endsWith("/") ? "" : "/");
        String endpoint = null;
        String region = null;
        for (String option :
                uri.getRawQuery() == null ? new String[0] : uri.getRawQuery().split("&")) {
            switch (option.substring(0, Math.max(0, option.indexOf('=')))) {
                case "endpoint" -> endpoint = decoded(option.substring("endpoint=".length()));
                case "region" -> region = decoded(option.substring("region=".length()));
                default -> throw new IllegalArgumentException("An S3 URL takes endpoint= and region=, nothing else");
            }
        }
        return new S3Location(
                authority.substring(at + 1),
                prefix,
                endpoint == null ? null : URI.create(endpoint),
                region,
                at < 0 ? null : decoded(authority.substring(0, colon)),
                at < 0 ? null : decoded(authority.substring(colon + 1, at)));
    }

    /** The location without the secret. */
    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix;
    }

    private static String decoded(String text) {
        // A plus sign is common in secrets and stands for itself in a URL.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
