/**
 * What a collector's reply means. {@code AnswerReader} turns the {@code Reply} of an exchange into
 * an {@code Answer}.
 */
@NullMarked
package io.duplog.deliver.hec.answer;

import org.jspecify.annotations.NullMarked;
