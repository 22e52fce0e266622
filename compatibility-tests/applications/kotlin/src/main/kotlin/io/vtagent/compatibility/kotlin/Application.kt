package io.vtagent.compatibility.kotlin

import com.sun.net.httpserver.HttpServer
import io.vtagent.compatibility.pins.Answer
import java.net.InetSocketAddress
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** A coroutine for each request, on a dispatcher of virtual threads. */
fun main() {
    val scope = CoroutineScope(Answer.executor().asCoroutineDispatcher())
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    server.createContext("/") { exchange ->
        scope.launch {
            delay(1)
            val body = Answer.to(exchange.requestURI.path).toByteArray()
            exchange.sendResponseHeaders(200, body.size.toLong())
            exchange.responseBody.use { it.write(body) }
        }
    }
    server.start()
    println("listening=" + server.address.port)
}
