package dev.inboxd.base.page;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages, and the seals on their tokens. */
class PageSealTest {
    private static final List<String> WALK = List.of("GET", "/v0/inboxes", "organization", "false");
    private static final Cursor CURSOR =
            Cursor.of(Instant.parse("2026-01-01T00:00:00.123456Z"), new UUID(1, 2), 7, "x\u00e4");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final PageSeal seal = new PageSeal(List.of(key(1)), now::get);

    @Test
    void aTokenGivesBackWhatWasSealed() {
        Cursor cursor = seal.open(WALK, seal.seal(WALK, CURSOR));
        assertThat(cursor).isEqualTo(CURSOR);
        assertThat(cursor.instant(0)).isEqualTo(Instant.parse("2026-01-01T00:00:00.123456Z"));
        assertThat(cursor.uuid(1)).isEqualTo(new UUID(1, 2));
        assertThat(cursor.number(2)).isEqualTo(7);
        assertThat(cursor.text(3)).isEqualTo("x\u00e4");
    }

    @Test
    void aTokenOfAFormerKeyOpens() {
        String token = seal.seal(WALK, CURSOR);
        PageSeal later = new PageSeal(List.of(key(2), key(1)), now::get);
        assertThat(later.open(WALK, token)).isEqualTo(CURSOR);
        assertThatThrownBy(() -> seal.open(WALK, later.seal(WALK, CURSOR))).isInstanceOf(Problem.class);
    }

    @Test
    void aTimeBeforeTheEpochKeepsItsMicroseconds() {
        Instant at = Instant.parse("1969-12-31T23:59:59.999999Z");
        assertThat(Cursor.of(at).instant(0)).isEqualTo(at);
    }

    @Test
    @Proves("P20")
    void noByteOfATokenCanBeChanged() {
        String token = seal.seal(WALK, CURSOR);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \u00e4\u0000";
        for (int i = 0; i < token.length(); i++) {
            for (int j = 0; j < alphabet.length(); j++) {
                if (alphabet.charAt(j) != token.charAt(i)) {
                    assertRefused(WALK, token.substring(0, i) + alphabet.charAt(j) + token.substring(i + 1));
                }
            }
            assertRefused(WALK, token.substring(0, i));
            assertRefused(WALK, token.substring(i + 1));
        }
        assertRefused(WALK, token + "A");
        assertRefused(WALK, token + "=");
        assertRefused(WALK, "A".repeat(10_000));
    }

    @Test
    void aTokenOpensNoOtherWalk() {
        String token = seal.seal(WALK, CURSOR);
        assertRefused(List.of("GET", "/v0/threads", "organization", "false"), token);
        assertRefused(List.of("GET", "/v0/inboxes", "another", "false"), token);
        assertRefused(List.of("GET", "/v0/inboxes", "organization", "true"), token);
        assertRefused(List.of("GET", "/v0/inboxes", "organization", "false", "labels", "x"), token);
        assertRefused(List.of("GET", "/v0/inboxesorganization", "false"), token);
        assertRefused(List.of("GET/v0/inboxes", "", "organization", "false"), token);
    }

    @Test
    @Proves("P18")
    void aTokenLivesForADay() {
        String token = seal.seal(WALK, CURSOR);
        now.set(Instant.parse("2026-01-01T23:59:59Z"));
        assertThat(seal.open(WALK, token)).isEqualTo(CURSOR);
        now.set(Instant.parse("2026-01-02T00:00:00Z"));
        assertRefused(WALK, token);
    }

    @Test
    void anotherKeyOpensNothingAndAShortOneIsNone() {
        String token = new PageSeal(List.of(key(2)), now::get).seal(WALK, CURSOR);
        assertRefused(WALK, token);
        assertThatThrownBy(() -> new PageSeal(List.of(new byte[31]), InstantSource.system()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPageKnowsWhetherAnotherFollows() {
        PageRequest page = new PageRequest(2, false, null, Cursor::toString);
        assertThat(page.fetch()).isEqualTo(3);
        assertThat(page.slice(List.of("a", "b", "c"), Cursor::of))
                .isEqualTo(new Slice<>(List.of("a", "b"), Cursor.of("b")));
        assertThat(page.slice(List.of("a", "b"), Cursor::of)).isEqualTo(new Slice<>(List.of("a", "b"), null));
        assertThat(text(page, page.slice(List.of("a", "b", "c"), Cursor::of))).isEqualTo("""
                {"count":2,"limit":2,"next_page_token":"Cursor[keys=[b]]","things":["A","B"]}""");
        assertThat(text(page, new Slice<>(List.of(), null)))
                .isEqualTo(json("count", 0, "limit", 2, "things", List.of()));
        assertThat(text(page, new Slice<>(List.of(), Cursor.of(1)))).contains("next_page_token");
    }

    private static String text(PageRequest page, Slice<String> slice) {
        return new String(
                Json.write(page.listing("things", slice, text -> text.toUpperCase(Locale.ROOT))),
                StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        ",50,50",
        "1,1,1",
        "100,100,100",
        "101,100,0",
        "99999999999999999999,100,0",
        "0,0,0",
        "-1,0,0",
        "'',0,0",
        "1.5,0,0",
        "x,0,0",
        "' 5',0,0",
        "007,7,7"
    })
    void aLimitIsReadClampedOrRefused(@Nullable String text, int list, int search) {
        assertThat(read(PageLimit.list(100), text)).isEqualTo(list);
        assertThat(read(PageLimit.search(100), text)).isEqualTo(search);
    }

    private static int read(PageLimit limit, @Nullable String text) {
        Faults faults = new Faults();
        int size = limit.read(text, faults);
        return faults.none() ? size : 0;
    }

    private void assertRefused(List<String> walk, String token) {
        Problem problem = catchThrowableOfType(Problem.class, () -> seal.open(walk, token));
        assertThat(problem.faults()).extracting(Fault::path).containsExactly(List.of("page_token"));
    }

    private static byte[] key(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return key;
    }
}
