/** Organizations and what belongs to them: pods, domains, inboxes, keys, lists, metrics. */
@NullMarked
package dev.inboxd.tenant;

import org.jspecify.annotations.NullMarked;
