/** Tests of metrics. */
@NullMarked
package dev.inboxd.tenant.metric;

import org.jspecify.annotations.NullMarked;
