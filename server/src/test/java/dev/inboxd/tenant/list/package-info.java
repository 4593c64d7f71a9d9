/** Tests of lists. */
@NullMarked
package dev.inboxd.tenant.list;

import org.jspecify.annotations.NullMarked;
