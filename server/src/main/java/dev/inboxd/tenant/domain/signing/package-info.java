/**
 * The keys that sign mail of each domain (RFC 6376), the domains that an inbox may sign as, and the zone of the
 * service's own domain.
 */
@NullMarked
package dev.inboxd.tenant.domain.signing;

import org.jspecify.annotations.NullMarked;
