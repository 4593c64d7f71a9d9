/** The people of an organization: whom somebody invites, what each may, and who goes (identity.md §17). */
@NullMarked
package dev.inboxd.account.person;

import org.jspecify.annotations.NullMarked;
