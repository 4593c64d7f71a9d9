package dev.inboxd.payment.offer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaymentsFileTest {
    @TempDir
    private Path folder;

    private Path written(String yaml) throws IOException {
        return Files.writeString(folder.resolve("pay.yaml"), yaml);
    }

    private static String price(PaymentsFile file) {
        return file.terms().prices().of("POST", "/v0/inboxes").text();
    }

    @Test
    void aFaultStopsTheStart() throws IOException {
        Path path = written("prices:\n  routes:\n    POST /v0/inbox: 1\n");
        assertThatThrownBy(() -> new PaymentsFile(path, PaymentFixture.USE))
                .isInstanceOf(Problem.class)
                .hasMessageStartingWith("payments file " + path + ":3: prices.routes.");
        Path none = folder.resolve("none.yaml");
        assertThatThrownBy(() -> PaymentsFile.read(none, PaymentFixture.USE))
                .isInstanceOf(Problem.class)
                .hasMessage("The payments file " + none + " does not exist");
    }

    @Test
    void aChangeIsAppliedAndAFaultChangesNothing() throws IOException {
        PaymentsFile file = new PaymentsFile(written("prices: {routes: {POST /v0/inboxes: 1}}"), PaymentFixture.USE);
        assertThat(price(file)).isEqualTo("1.00");
        PaymentTerms before = file.terms();
        file.reloadIfChanged();
        assertThat(file.terms()).isSameAs(before);
        written("prices: {routes: {POST /v0/inboxes: 3}}");
        file.reloadIfChanged();
        assertThat(price(file)).isEqualTo("3.00");
        written("prices: {routes: {POST /v0/inboxes: x}}");
        file.reloadIfChanged();
        assertThat(price(file)).isEqualTo("3.00");
        Files.delete(folder.resolve("pay.yaml"));
        file.reloadIfChanged();
        assertThat(price(file)).isEqualTo("3.00");
        written("prices: {routes: {POST /v0/inboxes: 4}}");
        file.reloadIfChanged();
        assertThat(price(file)).isEqualTo("4.00");
    }
}
