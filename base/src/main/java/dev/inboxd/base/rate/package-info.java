/**
 * Rate limits: token buckets that all nodes share (identity.md §4.2).
 *
 * <p>The database holds each budget. A node leases a tenth of one at a time and spends it from memory, so that most
 * requests cost no statement, and all nodes together never spend more than the budget has.
 */
@NullMarked
package dev.inboxd.base.rate;

import org.jspecify.annotations.NullMarked;
