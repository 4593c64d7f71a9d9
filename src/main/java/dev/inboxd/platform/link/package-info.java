/** Links that need no key: signed, bound to one thing of one organization, valid an hour (mail.md §9). */
@NullMarked
package dev.inboxd.platform.link;

import org.jspecify.annotations.NullMarked;
