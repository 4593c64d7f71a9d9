package dev.inboxd.base.blob;

import dev.inboxd.base.blob.BlobException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Blobs as objects in a bucket of Amazon S3 or a compatible server. An answered PUT is durable. */
final class S3Blobs implements Blobs {
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Location location;
    private final S3Client client;

    S3Blobs(S3Location location) {
        this.location = location;
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(Duration.ofSeconds(5))
                        .socketTimeout(Duration.ofSeconds(30)))
                .credentialsProvider(credentials(location))
                // Compatible servers know neither the new checksums nor bucket names as host names.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        if (location.endpoint() != null) {
            builder.endpointOverride(location.endpoint()).forcePathStyle(true);
        }
        if (location.region() != null || location.endpoint() != null) {
            builder.region(location.region() == null ? Region.US_EAST_1 : Region.of(location.region()));
        }
        this.client = builder.build();
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        LengthCheckedStream source = new LengthCheckedStream(content, size);
        try {
            if (exists(key)) {
                return;
            }
            client.putObject(
                    put -> put.bucket(location.bucket()).key(name(key)), RequestBody.fromInputStream(source, size));
            if (source.isLonger()) {
                delete(key);
                throw new BlobException(Kind.SIZE, "More octets came than the " + size + " announced.", null);
            }
            // IllegalState: the client retries a stream that was consumed
        } catch (SdkException | IllegalStateException | IOException e) {
            if (source.wasShorter()) {
                throw new BlobException(Kind.SIZE, "Fewer octets came than the " + size + " announced.", e);
            }
            throw BlobOutage.of("A blob cannot be written", e);
        }
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        if (length == 0) {
            return InputStream.nullInputStream();
        }
        // RFC 9110 §14.1.2: both ends are inclusive; without a last position the range goes to the end.
        String last = length > Long.MAX_VALUE - offset ? "" : String.valueOf(offset + length - 1);
        try {
            return client.getObject(get -> {
                get.bucket(location.bucket()).key(name(key));
                if (offset > 0 || !last.isEmpty()) {
                    get.range("bytes=" + offset + "-" + last);
                }
            });
        } catch (NoSuchKeyException e) {
            throw BlobException.missing(e);
        } catch (SdkException e) {
            if (e instanceof S3Exception s3 && s3.statusCode() == RANGE_NOT_SATISFIABLE) {
                return InputStream.nullInputStream();
            }
            throw BlobOutage.of("A blob cannot be read", e);
        }
    }

    @Override
    public OptionalLong size(BlobKey key) {
        try {
            return OptionalLong.of(
                    client.headObject(head -> head.bucket(location.bucket()).key(name(key)))
                            .contentLength());
        } catch (NoSuchKeyException none) {
            return OptionalLong.empty();
        } catch (SdkException e) {
            throw BlobOutage.of("A blob cannot be looked at", e);
        }
    }

    @Override
    public void delete(BlobKey key) {
        try {
            client.deleteObject(delete -> delete.bucket(location.bucket()).key(name(key)));
        } catch (NoSuchKeyException e) {
            // Some servers answer 404 to the deletion of a missing object.
        } catch (SdkException e) {
            BlobOutage.rethrow(key, e);
        }
    }

    @Override
    public void walk(Consumer<StoredBlob> visitor) {
        try {
            client.listObjectsV2Paginator(list -> list.bucket(location.bucket()).prefix(location.prefix()))
                    .contents()
                    .forEach(object -> visit(object, visitor));
        } catch (SdkException e) {
            throw BlobOutage.of("The blobs cannot be listed", e);
        }
    }

    @Override
    public Optional<UUID> storeId() {
        try {
            String content = client.getObjectAsBytes(
                            get -> get.bucket(location.bucket()).key(location.prefix() + BlobPaths.STORE_ID))
                    .asString(StandardCharsets.ISO_8859_1);
            return BlobPaths.storeId(content);
        } catch (NoSuchKeyException none) {
            return Optional.empty();
        } catch (SdkException e) {
            throw BlobOutage.of("The id of the store cannot be read", e);
        }
    }

    @Override
    public void writeStoreId(UUID id) {
        try {
            client.putObject(
                    put -> put.bucket(location.bucket()).key(location.prefix() + BlobPaths.STORE_ID),
                    RequestBody.fromString(id + "\n", StandardCharsets.US_ASCII));
        } catch (SdkException e) {
            throw BlobOutage.of("The id of the store cannot be written", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private boolean exists(BlobKey key) {
        try {
            client.headObject(head -> head.bucket(location.bucket()).key(name(key)));
            return true;
        } catch (NoSuchKeyException e) {
            return false;
        }
    }

    private void visit(S3Object object, Consumer<StoredBlob> visitor) {
        BlobKey key = BlobPaths.key(object.key().substring(location.prefix().length()));
        if (key != null) {
            visitor.accept(new StoredBlob(key, object.size(), object.lastModified()));
        }
    }

    private String name(BlobKey key) {
        return location.prefix() + key.path();
    }

    private static AwsCredentialsProvider credentials(S3Location location) {
        return location.accessKey() == null || location.secretKey() == null
                ? EnvironmentVariableCredentialsProvider.create()
                : StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(location.accessKey(), location.secretKey()));
    }
}
