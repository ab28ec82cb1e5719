/**
 * Reads the replies of collectors. {@code AnswerReader} turns the {@code Reply} to a request into
 * an {@code Answer}.
 */
package io.duplog.deliver.hec.answer;
