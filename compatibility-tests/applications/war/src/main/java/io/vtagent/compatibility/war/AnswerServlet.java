package io.vtagent.compatibility.war;

import io.vtagent.compatibility.pins.Answer;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet in {@code WEB-INF/classes} that uses a library in {@code WEB-INF/lib}. */
@WebServlet("/*")
public final class AnswerServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            response.getWriter().print(Answer.to(request.getPathInfo()));
        } catch (InterruptedException | ClassNotFoundException failure) {
            throw new ServletException(failure);
        }
    }
}
