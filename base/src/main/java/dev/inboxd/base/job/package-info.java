/**
 * Later work that must not be forgotten: rows written in the transaction that wants it, claimed and run until done. A
 * handler may run twice, so it must be safe to repeat. Also the periodic tasks of all background work.
 */
@NullMarked
package dev.inboxd.base.job;

import org.jspecify.annotations.NullMarked;
