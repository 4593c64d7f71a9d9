package dev.inboxd.base.http;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries as clients spell them (mail.md §1.3). */
class QueryTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "labels=%5B%22a%22%2C%22b%22%5D       | a;b",
                "labels=a&labels=b                    | a;b",
                "labels=%5B%22a%22%5D&labels=b        | a;b",
                "labels=%22bob%22                     | bob",
                "labels=bob                           | bob",
                "labels=a,b                           | a,b",
                "labels=a%2Cb                         | a,b",
                "labels=%5B%5D                        | ''",
                "labels=                              | ''",
                "labels                               | ''",
                "other=x                              | ''",
                "null                                 | ''",
                "labels=%5B1%5D                       | [1]",
                "labels=%5Bbroken                     | [broken",
                "labels=%22broken                     | \"broken",
                "labels=%5B%22a%22%2C%22%22%5D        | a",
                "&&labels=a&&                         | a",
                "l%61bels=a+b%2Bc                     | a b+c",
                "labels=%C3%A4                        | \u00e4",
                "labels=x%3Dy=z                       | x=y=z",
                "labels[]=a&labels%5B%5D=b            | a;b",
                "labels[0]=a&labels%5B12%5D=b         | a;b",
                "labels=a&labels[]=%5B%22b%22%5D      | a;b"
            })
    void aListIsUnderstoodInEverySpelling(@Nullable String raw, String expected) {
        Query query = new Query(raw, new Faults());
        assertThat(String.join(";", query.list("labels"))).isEqualTo(expected);
        query.check();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "labels=a,b                           | a;b",
                "labels=a%2C%20b,,                    | a;b",
                "labels[]=a,b&labels=c                | a;b;c",
                "labels=,                             | ''"
            })
    void wordsAreSeparatedByCommasToo(String raw, String expected) {
        assertThat(String.join(";", new Query(raw, new Faults()).words("labels")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "label=a,label,labels",
        "label[]=a,label,labels",
        "includeSpam=true,includeSpam,include_spam",
        "IncludeSpam=true,IncludeSpam,include_spam",
        "include-spam=true,include-spam,include_spam",
        "eventType=a,eventType,event_types",
        "eventTypes[0]=a,eventTypes,event_types",
        "labels[a]=b,labels[a],labels",
        "include_spam[]=true,include_spam[],include_spam"
    })
    void anotherSpellingOfANameIsRefused(String raw, String path, String right) {
        assertThat(faults(raw, query -> {
                    query.list("labels");
                    query.words("event_types");
                    query.flag("include_spam", false);
                }))
                .extracting(fault -> fault.path() + " " + fault.expected())
                .containsExactly("[" + path + "] " + right);
    }

    @Test
    void aNameThatIsNoSpellingOfAnotherIsIgnored() {
        Query query = new Query("other=1&otherName=2&to=x&t=y&utm[source]=z&[]=1&class[]=2", new Faults());
        query.list("to");
        query.list("class");
        query.check();
    }

    @ParameterizedTest
    @CsvSource({
        "x=yes,true",
        "x=On,true",
        "x=enabled,true",
        "x=no,false",
        "x=off,false",
        "x=DISABLED,false",
        "x=true,true",
        "x=TRUE,true",
        "x=1,true",
        "x=false,false",
        "x=False,false",
        "x=0,false",
        "y=1,false"
    })
    void aFlagHasTenWords(String raw, boolean expected) {
        assertThat(new Query(raw, new Faults()).flag("x", false)).isEqualTo(expected);
        assertThat(new Query("y=0", new Faults()).flag("x", true)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05.678Z,2026-01-02T03:04:05.678Z",
        "2026-01-02,2026-01-02T00:00:00Z",
        "2026-01-02T03:04:05,2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05%2B02:00,2026-01-02T01:04:05Z"
    })
    void aTimeMayLackItsOffset(String text, Instant expected) {
        assertThat(new Query("after=" + text, new Faults()).instant("after")).isEqualTo(expected);
    }

    @Test
    void everyFaultIsToldAtOnce() {
        assertThat(faults(
                        "a=2&b=5x&c=noon&d=moon&e=1&e=2&f=%zz&g=%c0%af&h=%00&%ff=1&i=99&j=-1",
                        query -> {
                            query.flag("a", false);
                            query.integer("b", 0, 9);
                            query.instant("c");
                            query.choice("d", Scope.values(), Scope::wireName);
                            query.text("e");
                            query.integer("i", 0, 9);
                            query.integer("j", -5, 9);
                            query.fault("k", "k is odd");
                        }))
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        List.of("f"),
                        List.of("g"),
                        List.of("h"),
                        List.of(),
                        List.of("a"),
                        List.of("b"),
                        List.of("c"),
                        List.of("d"),
                        List.of("e"),
                        List.of("i"),
                        List.of("j"),
                        List.of("k"));
    }

    @Test
    void whatIsReadIsWhatAPageTokenIsBoundTo() {
        Query query = new Query("b=1&a=x&labels=y&unknown=1&limit=5", new Faults());
        query.text("a");
        query.flag("b", false);
        query.list("labels");
        query.text("absent");
        query.single("limit");
        assertThat(query.filters()).hasToString("{a=x, b=true, labels=[\"y\"]}");
    }

    @Test
    void plainWordsAreRead() {
        Query query = new Query("scope=pod&n=12&q=%5B%22x%22%5D", new Faults());
        assertThat(query.choice("scope", Scope.values(), Scope::wireName)).isEqualTo(Scope.POD);
        assertThat(query.integer("n", 0, 99)).isEqualTo(12);
        assertThat(query.text("q")).isEqualTo(json(List.of("x")));
        query.check();
    }

    private static List<Fault> faults(String raw, Consumer<Query> reading) {
        Query query = new Query(raw, new Faults());
        reading.accept(query);
        return catchThrowableOfType(Problem.class, query::check).faults();
    }
}
