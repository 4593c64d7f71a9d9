/**
 * Incoming mail, from a resolved recipient to the commit: authentication (SPF, DKIM, DMARC, ARC), virus and spam
 * filters, limits, and the batches that store messages. Mail between inboxes of this server passes through it too.
 */
@NullMarked
package dev.inboxd.inbound;

import org.jspecify.annotations.NullMarked;
