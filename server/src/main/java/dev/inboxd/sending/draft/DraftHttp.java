package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.sending.compose.SendRequest;
import dev.inboxd.sending.idempotency.Idempotency;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** HTTP routes of drafts: reading at every level, changes at the inbox. No rule is decided here. */
public final class DraftHttp {
    private static final PageLimit LIMIT = PageLimit.list(500);

    private final Drafts drafts;
    private final DraftSender sender;
    private final Idempotency idempotency;
    private final Links links;
    private final InstantSource clock;

    DraftHttp(Drafts drafts, DraftSender sender, Idempotency idempotency, Links links, InstantSource clock) {
        this.drafts = drafts;
        this.sender = sender;
        this.idempotency = idempotency;
        this.links = links;
        this.clock = clock;
    }

    /** Mounts the routes of every level. */
    public void mount(Routes level) {
        level.get(Permission.DRAFT_READ, "/drafts", this::list);
        level.get(Permission.DRAFT_READ, "/drafts/{draft_id}", this::get);
        level.get(Permission.DRAFT_READ, "/drafts/{draft_id}/attachments/{attachment_id}", this::attachment);
    }

    /** Mounts the further routes of an inbox. */
    public void mountInbox(Routes inbox) {
        inbox.post(Permission.DRAFT_CREATE, "/drafts", BodyLimit.ATTACHMENTS, this::create);
        inbox.patch(Permission.DRAFT_UPDATE, "/drafts/{draft_id}", BodyLimit.ATTACHMENTS, this::update);
        inbox.delete(Permission.DRAFT_DELETE, "/drafts/{draft_id}", this::delete);
        inbox.post(Permission.DRAFT_SEND, "/drafts/{draft_id}/send", this::send);
    }

    private Response list(Request request) {
        Query query = request.query();
        List<String> labels = query.words("labels").stream().map(Labels::normal).toList();
        DraftSql.Filter filter = new DraftSql.Filter(
                labels,
                query.choice("send_status", Draft.Status.values(), Draft.Status::wireName),
                query.instant("after"),
                query.instant("before"));
        PageRequest page = request.page(LIMIT);
        return Response.ok(page.listing(
                "drafts",
                drafts.list(request.view(), filter, page),
                draftWithFiles -> DraftJson.item(request.view().organization(), draftWithFiles)));
    }

    private Response get(Request request) {
        UUID id = id(request);
        drafts.reserve(request, request.view(), id);
        DraftReads.DraftWithFiles draftWithFiles = drafts.get(request.view(), id);
        MarkdownQuery markdownQuery = MarkdownQuery.ofMessage(request.query());
        return markdownQuery == null
                ? shown(request, draftWithFiles)
                : Response.ok(DraftJson.markdown(request.view().organization(), draftWithFiles, markdownQuery));
    }

    private static Response shown(Request request, DraftReads.DraftWithFiles draftWithFiles) {
        return Response.ok(DraftJson.full(request.view().organization(), draftWithFiles));
    }

    private Response attachment(Request request) {
        DraftFile file = drafts.file(request.view(), id(request), request.path("attachment_id"));
        if (!file.isThere()) {
            throw Problem.notFound("Attachment")
                    .withFix("The file is fetched when the draft leaves. Its url says from where.");
        }
        Links.Link link = links.to(Links.Kind.DRAFT_ATTACHMENT, request.view().organization(), file.id());
        return Response.ok(file.json().with("download_url", link.url()).with("expires_at", link.expiresAt()));
    }

    private Response create(Request request) {
        NewDraft newDraft = NewDraft.read(request.body(), request.caller(), clock.instant());
        return shown(request, request.change().of(drafts.create(request.caller(), request.view(), newDraft)));
    }

    private Response update(Request request) {
        UUID id = id(request);
        drafts.reserve(request, request.view(), id);
        drafts.get(request.view(), id); // a missing draft is reported before a faulty body
        DraftChange change = DraftChange.read(request.body(), request.caller(), clock.instant());
        Outcome<DraftReads.DraftWithFiles> after = drafts.update(request.caller(), request.view(), id, change);
        DraftReads.DraftWithFiles now =
                after.changed() ? after.value() : request.change().of(after);
        if (after.changed() && now.draft().isWaiting()) {
            request.change().changed().target(id.toString());
        }
        return shown(request, now);
    }

    private Response delete(Request request) {
        Draft deleted = drafts.delete(request.view(), id(request));
        if (deleted.isWaiting()) {
            request.change().changed().target(deleted.id().toString());
        }
        return Response.ok();
    }

    private Response send(Request request) {
        return idempotency.execute(request, hook -> sender.send(() -> prepared(request), List.of(hook)));
    }

    private DraftSender.PreparedDraft prepared(Request request) {
        UUID id = id(request);
        drafts.get(request.view(), id); // a missing draft is reported before a faulty body
        LabelChange change = LabelMembers.readChange(request.body());
        AnswerTerms said = SendRequest.terms(request.body(), AnswerTerms.Kind.ANSWER);
        request.body().check();
        return sender.prepared(request.view(), id, change, SendTurn.of(request.caller(), said));
    }

    /** The id of the path. */
    static UUID id(Request request) {
        UUID id = Uuid7.parse(request.path("draft_id"));
        if (id == null) {
            throw Problem.notFound("Draft");
        }
        return id;
    }
}
