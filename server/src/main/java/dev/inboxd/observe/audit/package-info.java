/**
 * Who did what (approvals.md §6, §7): the audit log of an organization, and the requests of its keys.
 */
@NullMarked
package dev.inboxd.observe.audit;

import org.jspecify.annotations.NullMarked;
