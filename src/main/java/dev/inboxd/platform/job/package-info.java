/**
 * Work for later that must not be lost: rows written in the transaction that requires the work, claimed and run until
 * done. A handler may run twice, so it must be idempotent. Also the periodic task of all background work.
 */
@NullMarked
package dev.inboxd.platform.job;

import org.jspecify.annotations.NullMarked;
