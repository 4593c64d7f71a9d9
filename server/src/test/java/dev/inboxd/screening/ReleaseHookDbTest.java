package dev.inboxd.screening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventLog;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What was left undone with held mail is done in the transaction that releases it, once (security.md §4). */
class ReleaseHookDbTest {
    @Test
    void aHookIsCalledOnceAndItsFailureUndoesTheRelease() {
        try (SecuredWorld secured = SecuredWorld.start("hold")) {
            String held = secured.order();
            View view = View.of(secured.world().organization());
            Caller caller = new Caller(
                    new Caller.Credential.Key(new UUID(1, 2)),
                    Scope.ORGANIZATION,
                    view,
                    null,
                    Set.of(Permission.MESSAGE_READ, Permission.MESSAGE_RELEASE),
                    true,
                    false,
                    false,
                    false);
            List<String> told = new CopyOnWriteArrayList<>();
            ReleaseHook keeping = (tx, all, message) -> told.add(message.name() + message.labels());
            ReleaseHook failing = (tx, all, message) -> {
                throw new IllegalStateException("no");
            };
            EventLog log = new EventLog(_ -> {});
            Releases broken = new Releases(secured.world().database(), log, List.of(failing));
            assertThatThrownBy(() -> broken.release(caller, view, held, "fine"))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(secured.log(held)).hasSize(2);
            Releases releases = new Releases(secured.world().database(), log, List.of(keeping));
            releases.release(caller, view, held, "fine");
            releases.release(caller, view, held, "fine");
            assertThatThrownBy(() -> releases.release(caller, view, held, "other"))
                    .isInstanceOf(Problem.class);
            assertThat(told).containsExactly(held + "[received, unread]");
        }
    }
}
