/**
 * What waits for a decision of the people behind an organization, and whom of them the service told by mail
 * (approvals.md §9). Whoever lets something wait notes it in the same transaction; the console sends the letters.
 */
@NullMarked
package dev.inboxd.tenant.review;

import org.jspecify.annotations.NullMarked;
