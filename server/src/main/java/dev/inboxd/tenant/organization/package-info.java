/** Organizations, the tenants (identity.md §7.2), and their default pods. */
@NullMarked
package dev.inboxd.tenant.organization;

import org.jspecify.annotations.NullMarked;
