package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The simple name of a top-level type is a noun and there is one of it, in main and tests together. */
class NamesTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/names.txt"), "to be renamed");

    private static final Pattern LAST_WORD = Pattern.compile("[A-Z][a-z]*$");
    private static final Pattern VERB = Pattern.compile(".*(ed|ing)");
    private static final Set<String> IRREGULAR = Set.of(("Beaten Begun Bent Born Bought Bound Broken Brought Built"
                    + " Caught Chosen Dealt Done Drawn Driven Eaten Fallen Felt Flown Forbidden Forgotten Fought Found"
                    + " Frozen"
                    + " Given Gone Gotten Grown Heard Held Hidden Hung Kept Known Laid Led Left Lent Lost Made Meant"
                    + " Met Paid"
                    + " Proven Ridden Risen Said Seen Sent Shaken Shown Sold Spent Spoken Stolen Stood Stuck Sung"
                    + " Swept Sworn"
                    + " Taken Taught Thought Thrown Told Torn Understood Woken Won Worn Wound Written")
            .split(" "));
    /** What ends like a verb and is a noun of the field. */
    private static final Set<String> NOUNS = Set.of(("Binding Encoding Feed Folding Heading Listing"
                    + " Mapping Padding Ping Posting Ring Routing Seed Setting Speed String Timing Warning")
            .split(" "));

    private static final Pattern EMPTY_WORD =
            Pattern.compile(".*(Manager|Helper|Utils?|Impl|DTO|Dto|Processor|Data)|(Abstract|Base)[A-Z].*");

    @Test
    void everyTypeHasANameOfItsOwnThatIsANoun() throws IOException {
        NavigableMap<String, List<String>> places = places();
        assertThat(places).hasSizeGreaterThan(1000).containsKeys("Main", "NamesTest");
        assertThat(EXCEPTIONS.difference(violations(places))).isEmpty();
    }

    @Test
    void aVerbIsSeen() {
        assertThat(faults("Gathering", "RecentlyShown", "Told", "Announced", "EventFeed", "PostingBatch"))
                .containsOnlyKeys("Gathering", "RecentlyShown", "Told", "Announced");
    }

    @Test
    void aWordThatSaysNothingIsSeen() {
        assertThat(faults("QueueManager", "JsonUtils", "MailData", "BaseStore", "AbstractJob", "Database", "Base64"))
                .containsOnlyKeys("QueueManager", "JsonUtils", "MailData", "BaseStore", "AbstractJob");
    }

    @Test
    void aSecondTypeOfOneNameIsSeen() {
        NavigableMap<String, List<String>> places = new TreeMap<>();
        places.put("Batch", List.of("search/Batch.java", "receive/Batch.java"));
        assertThat(violations(places)).containsOnlyKeys("Batch");
    }

    @Test
    void anExceptionThatIsNotNeededIsSeen() {
        ExceptionList list = ExceptionList.of("planted.txt", "to be renamed", List.of("# Names", "Told: until later"));
        assertThat(list.difference(faults("Told"))).isEmpty();
        assertThat(list.difference(faults("Made")))
                .contains("not allowed: Made", "no longer needed: Told", "# Names\nMade: to be renamed\n");
    }

    private static NavigableMap<String, String> faults(String... names) {
        NavigableMap<String, List<String>> places = new TreeMap<>();
        Stream.of(names).forEach(name -> places.put(name, List.of(name + ".java")));
        return violations(places);
    }

    private static NavigableMap<String, String> violations(NavigableMap<String, List<String>> places) {
        NavigableMap<String, String> violations = new TreeMap<>();
        places.forEach((name, files) -> {
            List<String> faults = new ArrayList<>();
            Matcher matcher = LAST_WORD.matcher(name);
            String last = matcher.find() ? matcher.group() : name;
            if (IRREGULAR.contains(last) || (VERB.matcher(last).matches() && !NOUNS.contains(last))) {
                faults.add("a form of a verb");
            }
            if (EMPTY_WORD.matcher(name).matches()) {
                faults.add("a word that says nothing");
            }
            if (files.size() > 1) {
                faults.add("the name of " + files.size() + " types");
            }
            if (!faults.isEmpty()) {
                violations.put(name, String.join(", ", faults) + ": " + String.join(", ", files));
            }
        });
        return violations;
    }

    /** The files of each type: every type stands in a file of its own. */
    private static NavigableMap<String, List<String>> places() {
        NavigableMap<String, List<String>> places = new TreeMap<>();
        for (List<Path> roots : List.of(SourceTree.MAIN, SourceTree.TESTS)) {
            SourceTree.files(roots, ".java").stream()
                    .map(Path::toString)
                    .filter(file -> !file.endsWith("-info.java"))
                    .forEach(file -> places.computeIfAbsent(
                                    file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length()),
                                    _ -> new ArrayList<>())
                            .add(file));
        }
        return places;
    }
}
