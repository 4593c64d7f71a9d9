package dev.inboxd.base.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class S3LocationTest {
    @Test
    void everyPartIsRead() {
        assertThat(S3Location.parse(
                        "s3://AKIA:a%2Fb+c@bucket/some/where?endpoint=http://127.0.0.1:9000&region=eu-north-1"))
                .isEqualTo(new S3Location(
                        "bucket", "some/where/", URI.create("http://127.0.0.1:9000"), "eu-north-1", "AKIA", "a/b+c"));
    }

    @Test
    void onlyTheBucketIsNeeded() {
        S3Location bare = new S3Location("bucket_1", "", null, null, null, null);
        assertThat(S3Location.parse("s3://bucket_1")).isEqualTo(bare);
        assertThat(S3Location.parse("s3://bucket_1/")).isEqualTo(bare);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:", "s3:///prefix", "s3://key@bucket", "s3://bucket?color=red", "s3://bucket?endpoint"})
    void mistakesAreNamed(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> S3Location.parse(url));
    }

    @Test
    void theSecretIsNotShown() {
        assertThat(S3Location.parse("s3://key:hush@bucket")).asString().doesNotContain("hush");
    }
}
