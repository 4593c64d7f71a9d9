package dev.inboxd.console.approval;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.console.session.Visit;
import dev.inboxd.tenant.review.ReviewReader;
import java.util.Optional;
import java.util.UUID;

/** Knows who has looked at what waits, and who wants to be told of it by mail. At an open console nobody is known. */
public final class ReviewWatch {
    private final Database database;

    public ReviewWatch(Database database) {
        this.database = database;
    }

    /** Remembers that a visitor looks, when there is something new; and gives the visitor. */
    Optional<ReviewReader> recordVisit(Visit visit) {
        Optional<ReviewReader.Visitor> visitor = visitor(visit);
        visitor.filter(ReviewReader.Visitor::isNews).ifPresent(news -> {
            UUID organization = visit.caller().organization();
            database.run(organization, tx -> {
                news.reader().looked(tx, organization);
            });
        });
        return visitor.map(ReviewReader.Visitor::reader);
    }

    /** Has mails to a visitor begin or end. */
    void mute(Visit visit, boolean isUnwanted) {
        UUID organization = visit.caller().organization();
        visitor(visit)
                .ifPresent(visitor -> database.run(organization, tx -> {
                    visitor.reader().mute(tx, organization, isUnwanted);
                }));
    }

    private Optional<ReviewReader.Visitor> visitor(Visit visit) {
        return visit.caller().credential() instanceof Caller.Credential.Session(UUID session, Role _)
                ? database.read(tx -> ReviewReader.of(tx, visit.caller().organization(), session))
                : Optional.empty();
    }
}
