package dev.inboxd.blob;

import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract against a real S3 server; {@code -Dtest.s3=s3://key:secret@bucket?endpoint=…} names a bucket to use. */
@EnabledIfSystemProperty(named = "test.s3", matches = "s3://.+")
final class S3BlobsTest implements BlobsContract {
    private final Blobs blobs = Blobs.at(inFolderOfItsOwn(System.getProperty("test.s3")));

    @Override
    public Blobs blobs() {
        return blobs;
    }

    @AfterEach
    void clear() {
        blobs.walk(blob -> blobs.delete(blob.key()));
        blobs.close();
    }

    private static String inFolderOfItsOwn(String url) {
        int query = url.indexOf('?');
        return url.substring(0, query) + "/" + UUID.randomUUID() + url.substring(query);
    }
}
