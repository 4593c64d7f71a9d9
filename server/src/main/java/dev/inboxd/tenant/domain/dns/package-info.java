/** The DNS records of a domain: which ones it needs, what the DNS says, and whether that is right (identity.md §11). */
@NullMarked
package dev.inboxd.tenant.domain.dns;

import org.jspecify.annotations.NullMarked;
