/** Organizations, the tenants (identity.md §7.2), and their pods as far as other features need them. */
@NullMarked
package dev.inboxd.tenant.organization;

import org.jspecify.annotations.NullMarked;
