package dev.inboxd.inbound;

import dev.inboxd.base.link.Links;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.screening.HeldCopies;
import dev.inboxd.screening.MessageScreen;

/**
 * The services of the writing transaction.
 *
 * @param recent caches the readable content of stored messages
 * @param quota maximum storage of an organization
 * @param screen judges what may steer an agent
 * @param held finds held mail that is passed on
 * @param calendars takes in the calendars of mail
 */
public record InboundStorage(
        EventLog log,
        Links links,
        ReadableContentCache recent,
        StorageQuota quota,
        MessageScreen screen,
        HeldCopies held,
        CalendarIntake calendars) {}
