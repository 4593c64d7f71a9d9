package dev.inboxd.account.signup;

import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What was sent to humans, the oldest first. */
record HumanMail(World world) {
    List<String> of(String human) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("""
                select s.raw from submission s join submission_recipient r
                on r.organization_id = s.organization_id and r.submission_id = s.submission_id
                where r.recipient = :human order by s.created_at, s.submission_id""")
                        .bind("human", human)
                        .list(row -> new String(row.bytes("raw"), StandardCharsets.UTF_8)));
    }

    /** Waits until there are so many: the codes of sign-ins are sent behind the answer. */
    void await(String human, int count) {
        Eventually.await(() -> of(human).size() >= count);
    }

    /** The code in the newest letter that has one. */
    String code(String human) {
        return of(human).reversed().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.length() == 6 && line.chars().allMatch(Character::isDigit))
                .findFirst()
                .orElseThrow();
    }

    /** Another code than the right one. */
    String wrongCode(String human) {
        return code(human).equals("000000") ? "000001" : "000000";
    }
}
