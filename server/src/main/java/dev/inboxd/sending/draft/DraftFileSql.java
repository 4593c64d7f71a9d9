package dev.inboxd.sending.draft;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** SQL on the attachments of drafts. Callers have checked access to the draft, which includes its attachments. */
final class DraftFileSql {
    private static final String COLUMNS = """
            f.attachment_id, f.draft_id, f.filename, f.media_type, f.inline, f.content_id, f.size, f.blob, f.url""";
    private static final String FROM = " from draft_attachment f where f.organization_id = {organization}";
    private static final String INSERT = """
            with made as (
            insert into draft_attachment as d (organization_id, attachment_id, draft_id, inbox_id, position,
                                          filename, media_type, inline, content_id, size, raw, blob, url)
            select own.organization_id, f.id, f.draft, :inbox::uuid, f.position + coalesce((select max(x.position)
                   from draft_attachment x where x.organization_id = {organization} and x.draft_id = f.draft), 0),
                   f.filename, f.media_type, f.inline, f.content_id, f.size, f.raw, f.blob, f.url
            from unnest(:ids::uuid[], :drafts::uuid[], :filenames::text[], :types::text[], :inline::bool[],
                        :content_ids::text[], :sizes::bigint[], :raws::bytea[], :blobs::text[],
                        :urls::text[]) with ordinality
                 as f (id, draft, filename, media_type, inline, content_id, size, raw, blob, url, position)
            join organization_clock own on own.organization_id = {organization} returning d.size)
            update organization_clock k set bytes = k.bytes + (select sum(size) from made)::bigint
            where k.organization_id = {organization}""";

    private DraftFileSql() {}

    /** An attachment and its bytes; null when a blob holds them, or they are not fetched. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record NewFile(DraftFile file, byte @Nullable [] raw) {}

    /** The attachments of some drafts, by draft, in their order. */
    static Map<UUID, List<DraftFile>> ofDrafts(Tx tx, View view, Collection<UUID> drafts) {
        if (drafts.isEmpty()) {
            return Map.of();
        }
        return tx
                .sql(
                        view,
                        "select " + COLUMNS + FROM + " and f.draft_id = any (:drafts) order by f.draft_id, f.position")
                .bind("drafts", drafts.toArray(UUID[]::new))
                .list(DraftFileSql::read)
                .stream()
                .collect(Collectors.groupingBy(DraftFile::draft));
    }

    /** An attachment, if it exists in the view's organization and its inbox is not being deleted. */
    static Optional<DraftFile> find(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select " + COLUMNS + FROM + " and f.attachment_id = :id and exists (select from inbox i"
                                + " where i.organization_id = {organization} and i.inbox_id = f.inbox_id"
                                + " and not i.deleting)")
                .bind("id", id)
                .first(DraftFileSql::read);
    }

    /** The bytes of an attachment whose row holds them. */
    static Optional<byte[]> bytes(Tx tx, View view, UUID id) {
        return tx.sql(view, "select f.raw" + FROM + " and f.attachment_id = :id and f.raw is not null")
                .bind("id", id)
                .first(row -> row.bytes("raw"));
    }

    /** Adds the insertion of attachments, after those that the draft has. */
    static void appendInsert(RoundTrip trip, View view, UUID inbox, List<NewFile> files) {
        if (files.isEmpty()) {
            return;
        }
        trip.change(
                view,
                INSERT,
                "inbox",
                inbox,
                "ids",
                files.stream().map(newFile -> newFile.file().id()).toArray(UUID[]::new),
                "drafts",
                files.stream().map(newFile -> newFile.file().draft()).toArray(UUID[]::new),
                "filenames",
                texts(files, DraftFile::filename),
                "types",
                texts(files, DraftFile::mediaType),
                "inline",
                files.stream().map(newFile -> newFile.file().inline()).toArray(Boolean[]::new),
                "content_ids",
                texts(files, DraftFile::contentId),
                "sizes",
                files.stream().map(newFile -> newFile.file().size()).toArray(Long[]::new),
                "raws",
                files.stream().map(NewFile::raw).toArray(byte[][]::new),
                "blobs",
                texts(files, DraftFile::blob),
                "urls",
                texts(files, DraftFile::url));
    }

    /** Adds the deletion of attachments. */
    static void appendDelete(RoundTrip trip, View view, Collection<UUID> files) {
        if (!files.isEmpty()) {
            trip.change(view, """
                    with gone as (delete from draft_attachment f where f.organization_id = {organization}
                                  and f.attachment_id = any (:files) returning f.size)
                    update organization_clock k set bytes = k.bytes - coalesce((select sum(size) from gone), 0)::bigint
                    where k.organization_id = {organization}""", "files", files.toArray(UUID[]::new));
        }
    }

    private static DraftFile read(Row row) {
        return new DraftFile(
                row.uuid("attachment_id"),
                row.uuid("draft_id"),
                row.textOrNull("filename"),
                row.text("media_type"),
                row.flag("inline"),
                row.textOrNull("content_id"),
                row.longer("size"),
                row.textOrNull("blob"),
                row.textOrNull("url"));
    }

    private static @Nullable String[] texts(List<NewFile> files, Function<DraftFile, @Nullable String> part) {
        return files.stream().map(newFile -> part.apply(newFile.file())).toArray(String[]::new);
    }
}
