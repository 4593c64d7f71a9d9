/** Links that need no key: signed, bound to one resource of one organization, valid for an hour (mail.md §9). */
@NullMarked
package dev.inboxd.base.link;

import org.jspecify.annotations.NullMarked;
