/** Tests of metrics. */
@NullMarked
package dev.inboxd.metric;

import org.jspecify.annotations.NullMarked;
