/** Tests of metrics. */
@NullMarked
package dev.inboxd.observe.metric;

import org.jspecify.annotations.NullMarked;
