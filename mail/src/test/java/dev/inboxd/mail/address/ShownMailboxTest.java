package dev.inboxd.mail.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whatever a name holds, what is shown is one mailbox for every reader, and the same one for each. */
class ShownMailboxTest {
    private static final int NAMES = 20_000;
    private static final List<String> ADDRESSES =
            List.of("bob@example.com", "\"a b\"@example.com", "\"x> <y@z\"@example.com", "jörg@xn--bcher-kva.example");

    @Test
    void everyReaderFindsTheOneAddress() {
        GeneratedNames names = new GeneratedNames(90);
        for (int i = 0; i < NAMES; i++) {
            MailAddress mailbox = new MailAddress(names.next(), ADDRESSES.get(i % ADDRESSES.size()));
            String shown = mailbox.toString();
            StrictMailbox strict = StrictMailbox.of(shown);
            assertThat(strict.address()).as(shown).isEqualTo(mailbox.address());
            assertThat(MailAddress.bare(shown)).as(shown).isEqualTo(mailbox.address());
            assertThat(MailAddress.parse(shown)).as(shown).isEqualTo(mailbox);
            assertThat(AddressList.parse(shown)).as(shown).hasSize(1);
            assertThat(AddressList.parse(shown).getFirst()).as(shown).isEqualTo(mailbox);
            assertThat(AddressList.parse(shown + ", " + shown)).as(shown).hasSize(2);
            assertThat(AddressHeader.parse(shown, UnaryOperator.identity()))
                    .as(shown)
                    .extracting(MailAddress::address)
                    .containsExactly(mailbox.address());
        }
    }

    @Test
    void anElementOfAListIsOneMailboxWhateverStandsBeforeItsAddress() {
        GeneratedNames names = new GeneratedNames(91);
        for (int i = 0; i < NAMES; i++) {
            String given = names.next() + " <bob@example.com>";
            MailAddress mailbox = MailAddress.parse(given);
            assertThat(mailbox.address()).as(given).isEqualTo("bob@example.com");
            assertThat(StrictMailbox.of(mailbox.toString()).address()).as(given).isEqualTo("bob@example.com");
            assertThat(MailAddress.parse(mailbox.toString())).as(given).isEqualTo(mailbox);
        }
    }
}
