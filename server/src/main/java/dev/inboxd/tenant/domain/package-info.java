/**
 * The domains of inboxes: the service's own, and those that organizations bring (identity.md §11): who owns a domain,
 * and when it is verified.
 */
@NullMarked
package dev.inboxd.tenant.domain;

import org.jspecify.annotations.NullMarked;
